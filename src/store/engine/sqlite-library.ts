import { createRequire } from "node:module";
import type Sqlite from "better-sqlite3";

/**
 * The same library twice. Version 13 includes its binary for x64 and arm64, and needs Node.js 22 or newer
 * (older ones crash in it). Version 12 is downloaded or compiled when it is installed.
 */
const withBinary = "better-sqlite3-prebuilt";
const forThisNode = "better-sqlite3";

const oldestNodeOfBinary = 22;

type Library = typeof Sqlite;

const require = createRequire(import.meta.url);
let found: Library | null = null;

/** Loads SQLite when a database is first opened: processes without one need no binary. */
function sqliteLibrary(): Library {
  found ??= firstThatLoads(Number.parseInt(process.versions.node, 10));
  return found;
}

function firstThatLoads(nodeMajor: number): Library {
  const names = nodeMajor >= oldestNodeOfBinary ? [withBinary, forThisNode] : [forThisNode];
  const failures: unknown[] = [];
  for (const name of names) {
    try {
      const library = require(name) as Library;
      // The library loads its binary when it opens the first database.
      new library(":memory:").close();
      return library;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new Error(withoutSqlite, { cause: failures.at(-1) });
}

const withoutSqlite =
  "SQLite is not installed for this Node.js. Use Node.js 22 or newer on x64 or arm64, or install a C++ compiler, make and python3; then run the installation again (npm ci).";

/** Opens a file, `:memory:`, or the bytes of a database. */
export function openSqliteConnection(source: string | Buffer, options?: Sqlite.Options): Sqlite.Database {
  return new (sqliteLibrary())(source, options);
}

export const isSqliteError = (error: unknown): error is InstanceType<Library["SqliteError"]> =>
  found !== null && error instanceof found.SqliteError;
