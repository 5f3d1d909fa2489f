import { openDatabase } from "../engine/open-database.ts";
import type { Snapshot, TransferTarget } from "./format.ts";
import { sqliteSnapshot, sqliteTarget } from "./sqlite-transfer.ts";

/** The path of `sqlite:PATH`; null for another database. */
export const sqlitePath = (url: string): string | null =>
  url.startsWith("sqlite:") ? url.slice("sqlite:".length) : null;

/** Its driver is loaded only where it is used. */
const postgresTransfer = () => import("./postgres-transfer.ts");

/** Keeps a moment of a database that is there and of this version. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const path = sqlitePath(url);
  return path === null ? (await postgresTransfer()).postgresSnapshot(url) : sqliteSnapshot(path);
}

/** Makes the database where there is none, brings it up to date, and takes it where it is empty. */
export async function openTarget(url: string): Promise<TransferTarget> {
  await (await openDatabase(url, () => {})).close();
  const path = sqlitePath(url);
  return path === null ? (await postgresTransfer()).postgresTarget(url) : sqliteTarget(path);
}
