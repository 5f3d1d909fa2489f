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

/** Makes the tables of that migration where there are none, and takes the database where it is empty. */
export async function openTarget(url: string, version: number): Promise<TransferTarget> {
  const path = sqlitePath(url);
  return path === null
    ? (await postgresTransfer()).postgresTarget(url, version)
    : sqliteTarget(path, version);
}
