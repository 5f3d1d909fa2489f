import { parentPort, workerData } from "node:worker_threads";
import { isSqliteError, openSqliteConnection } from "./sqlite-library.ts";

// The thread that moves the write-ahead log into the file: it has a connection of its own, which writes nothing else.

const db = openSqliteConnection(String(workerData), { fileMustExist: true });

parentPort?.on("message", (order: "move" | "end") => {
  if (order === "end") {
    db.close();
    parentPort?.close();
    return;
  }
  try {
    // It waits for nobody, and nobody waits for it.
    db.pragma("wal_checkpoint(PASSIVE)");
  } catch (error) {
    // The log stays as it is, as on a full disk: the next checkpoint moves it.
    if (!isSqliteError(error)) throw error;
  }
  parentPort?.postMessage("moved", []);
});
