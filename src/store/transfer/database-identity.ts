import { randomBytes } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { ExchangeError, notOurs } from "./format.ts";
import { isDamage, isSqliteFile } from "./held-alone.ts";
import { openFile } from "./sqlite-file.ts";

function identityIn(db: Sqlite.Database): string | null {
  const known = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'database_identity'").get();
  if (known === undefined) return null;
  return db.prepare<[], string>("SELECT id FROM database_identity LIMIT 1").pluck().get() ?? null;
}

/** The identity tells this database's backups from those of other databases in the same folder. */
export async function readIdentity(url: string): Promise<string> {
  if (!url.startsWith("sqlite:")) return (await import("./postgres-transfer.ts")).postgresIdentity(url);
  const identity = withFile(url.slice("sqlite:".length), identityIn);
  if (identity === null) throw new ExchangeError(notOurs);
  return identity;
}

function withFile<T>(path: string, use: (db: Sqlite.Database) => T): T {
  const db = openFile(path);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const identityLength = 12;

/** For a database that is to be replaced; null if it has no identity, or is too damaged to read. */
export function identityOfFile(path: string): string | null {
  if (!isSqliteFile(path)) return null;
  try {
    return withFile(path, identityIn);
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/**
 * An identity belongs to a place. A restored database takes that of the one it replaces, and so keeps its
 * backups. At a new place (null) it gets a new one: the original may still be in use, with backups in the
 * same folder.
 */
export function setIdentity(path: string, identity: string | null): void {
  withFile(path, (db) => {
    const id = identity ?? randomBytes(identityLength / 2).toString("hex");
    db.prepare("UPDATE database_identity SET id = ?").run(id);
  });
}
