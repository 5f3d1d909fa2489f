import { fdatasync } from "node:fs";
import { ensurePrivateFile } from "../private-file.ts";
import type { Database } from "./database.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { withReadCache } from "./read-cache.ts";
import { turnToBegin } from "../../core/turns.ts";
import type { TellOperator } from "./file-watch.ts";
import { asAvailable } from "./sqlite-failures.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** How long a write waits for another process's write before it is refused, ms. */
const defaultBusyTimeoutMs = 5000;

/**
 * Opens or creates a database file and brings its schema up to date. `:memory:`, or the bytes of a database,
 * opens one that lives as long as the process. `sync` syncs the log; `tell` hears what happens to the file.
 */
export function openSqlite(
  source: string | Buffer,
  busyTimeoutMs = defaultBusyTimeoutMs,
  sync = fdatasync,
  tell: TellOperator = () => {},
): Database {
  if (typeof source === "string" && source !== ":memory:") ensurePrivateFile(source);
  const connection = new SqliteConnection(source, busyTimeoutMs, sync);
  migrateSqlite(connection.db);
  connection.serve(tell);
  return withReadCache({
    dialect: "sqlite",
    read: async (work, ...values) => {
      const turn = turnToBegin();
      if (turn !== null) await turn;
      const { refusal } = connection;
      if (refusal !== null && !refusal.canRead) throw refusal;
      return asAvailable(() => connection.finish(() => work(...values)));
    },
    write: (work, ...values) => connection.enqueue("saved", () => work(...values)),
    writeFor: (_, work, ...values) => connection.enqueue("saved", () => work(...values)),
    writeRelaxed: (work, ...values) => connection.enqueue("relaxed", () => work(...values)),
    tryAlone: null,
    connections: () => ({ open: 1, idle: 0, waiting: connection.waiting, longestMs: 0 }),
    refusal: () => connection.refusal,
    version: () => asAvailable(() => connection.version()),
    close: () => connection.close(),
  });
}
