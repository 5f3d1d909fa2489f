import { statSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError, exitStatus } from "../output.ts";
import { errorFacts, thisUser } from "./facts.ts";

/** Null for an error that is not of SQLite. */
export function sqliteError(error: unknown, path: string): CommandError | null {
  const { code, message } = errorFacts(error);
  const failed = (words: string): CommandError => new CommandError(words);
  // Codes have endings, such as SQLITE_READONLY_DIRECTORY.
  const [, kind] = /^SQLITE_([A-Z]+)/.exec(code ?? "") ?? [];
  switch (kind) {
    case undefined:
    case "CONSTRAINT":
    case "ERROR":
    case "MISUSE":
      return message.startsWith("Cannot open database because the directory does not exist")
        ? failed(
            `${path} cannot be opened, because ${dirname(path)} is not there: make that folder, or correct TICKMARK_DATABASE_URL.`,
          )
        : null;
    case "NOTADB":
      return new CommandError(
        `TICKMARK_DATABASE_URL names a file that is not an SQLite database: ${path}. Name another file.`,
        exitStatus.usage,
      );
    case "CANTOPEN":
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
        return new CommandError(
          `${path} is a folder, and has to be a file. TICKMARK_DATABASE_URL names the database.`,
          exitStatus.usage,
        );
      return failed(
        `${thisUser()} cannot open the database ${path}: let this user read and write the file and its folder, or correct TICKMARK_DATABASE_URL.`,
      );
    case "READONLY":
    case "PERM":
    case "AUTH":
      return failed(
        `${thisUser()} may not write the database ${path}, or the files beside it: give this user the file and its folder (chown).`,
      );
    case "FULL":
      return failed(`There is no room on the disk for the database ${path}: make room.`);
    case "BUSY":
    case "LOCKED":
      return failed(`Another program holds the database ${path}: end it, or wait until it is done.`);
    case "CORRUPT":
      return failed(`The database ${path} is damaged. Restore a backup: tickmark restore FILE --replace.`);
    default:
      return failed(
        `The database ${path} cannot be used (${code}): look at the disk and its messages (dmesg).`,
      );
  }
}
