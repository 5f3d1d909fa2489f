import { parentPort, workerData } from "node:worker_threads";
import { isSqliteError, openSqliteConnection } from "./sqlite-library.ts";

// This worker thread moves the write-ahead log into the database file, over a connection of its own.

const db = openSqliteConnection(String(workerData), { fileMustExist: true });

parentPort?.on("message", (order: "move" | "end") => {
  if (order === "end") {
    db.close();
    parentPort?.close();
    return;
  }
  try {
    // PASSIVE waits for no reader or writer, and blocks none.
    db.pragma("wal_checkpoint(PASSIVE)");
  } catch (error) {
    // A failed checkpoint (a full disk) leaves the log as it is; the next checkpoint moves it.
    if (!isSqliteError(error)) throw error;
  }
  parentPort?.postMessage("moved", []);
});
