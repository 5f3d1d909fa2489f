import type Sqlite from "better-sqlite3";
import { appliedInSqlite } from "../migrations/applied.ts";
import { ExchangeError, notOurs } from "./format.ts";
import { openFile } from "./sqlite-file.ts";

/** Pages copied before other work gets a turn: some megabytes. */
const pagesAtATime = 1024;

/**
 * Copies one moment of a database into `copy`, which may be an empty file. Without the read transaction,
 * every write of another process would restart the copy. Throws ExchangeError if `path` is no database of
 * Tickmark, an empty file for example.
 */
export async function backupSqlite(
  path: string,
  copy: string,
  tell: (copied: number, pages: number) => void,
): Promise<void> {
  const db = openFile(path);
  try {
    db.exec("BEGIN");
    if (appliedInSqlite(db).size === 0) throw new ExchangeError(notOurs);
    await db.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        tell(totalPages - remainingPages, totalPages);
        return pagesAtATime;
      },
    });
  } finally {
    db.close();
  }
  checkCopy(copy);
}

/** Makes the copy one file without a log. Throws ExchangeError if it is not sound. */
export function checkCopy(copy: string): void {
  const db = openFile(copy);
  try {
    db.pragma("journal_mode = DELETE");
    const problems = found(db, "integrity_check").filter((problem) => problem !== "ok");
    const dangling = db.pragma("foreign_key_check");
    if (problems.length > 0 || !Array.isArray(dangling) || dangling.length > 0)
      throw new ExchangeError(
        `The copy is not sound (${problems[0] ?? "rows refer to rows that are not there"}). What it was copied from may be damaged.`,
      );
  } finally {
    db.close();
  }
}

const found = (db: Sqlite.Database, pragma: string): unknown[] =>
  db.prepare<[], unknown>(`PRAGMA ${pragma}`).pluck().all();
