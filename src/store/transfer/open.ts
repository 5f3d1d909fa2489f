import type { Snapshot, TransferTarget } from "./format.ts";
import { sqliteSnapshot, sqliteTarget } from "./sqlite-transfer.ts";

export const sqlitePath = (url: string): string | null =>
  url.startsWith("sqlite:") ? url.slice("sqlite:".length) : null;

const postgresTransfer = () => import("./postgres-transfer.ts");

/** Opens one moment of an existing database of this version. */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const path = sqlitePath(url);
  return path === null ? (await postgresTransfer()).postgresSnapshot(url) : sqliteSnapshot(path);
}

/** Creates the tables of that migration if there are none. Throws if the database has data. */
export async function openTarget(url: string, version: number): Promise<TransferTarget> {
  const path = sqlitePath(url);
  return path === null
    ? (await postgresTransfer()).postgresTarget(url, version)
    : sqliteTarget(path, version);
}
