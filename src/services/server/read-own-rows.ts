import type { Database, DatabaseReader } from "../../store/engine/database.ts";
import { selectServerNames } from "../../store/server/server-names.ts";

/** A row of a list over all servers of an account. */
export interface RowOfServer {
  readonly serverId: string;
  readonly serverName: string | null;
}

export const rowItself = (row: RowOfServer): RowOfServer => row;

export interface OwnReads {
  readonly db: Database;
  readonly replica: DatabaseReader;
}

/**
 * Rows of the account's servers from the replica. What is shown of a server is decided by the database: if a
 * row is of a server that the account unlinked or renamed since, all rows are read from the database.
 */
export async function readOwnRows<Row>(
  { db, replica }: OwnReads,
  account: string,
  read: (from: DatabaseReader) => Promise<Row[]>,
  serverOf: (row: Row) => RowOfServer,
): Promise<Row[]> {
  const rows = await read(replica);
  if (replica === db || rows.length === 0) return rows;
  const servers = rows.map(serverOf);
  const ids = [...new Set(servers.map(({ serverId }) => serverId))];
  const names = await db.read(selectServerNames, account, ids);
  const isAsShown = servers.every(({ serverId, serverName }) => names.get(serverId) === serverName);
  return isAsShown ? rows : read(db);
}
