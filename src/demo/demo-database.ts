import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makePrivateFile, makePrivateFolder } from "../store/private-file.ts";
import { failureCode } from "../core/failure-code.ts";

export interface DemoDatabase {
  readonly databasePath: string;
  readonly kept: boolean;
}

/** More demos than anybody keeps in one directory. */
const mostFiles = 10_000;

/** The directory is deleted when the process exits. */
export function temporaryDatabase(): DemoDatabase {
  const directory = mkdtempSync(join(tmpdir(), "tickmark-demo-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return { databasePath: join(directory, "demo-1.db"), kept: false };
}

/** Makes `demo-1.db` or the next free number. Earlier databases stay: their tokens were shown only once. */
export function keptDatabase(directory: string): DemoDatabase {
  makePrivateFolder(directory);
  for (let number = 1; number <= mostFiles; number += 1) {
    const databasePath = join(resolve(directory), `demo-${number}.db`);
    if (reserved(databasePath)) return { databasePath, kept: true };
  }
  throw new Error(`${directory} holds ${mostFiles} demo databases. Remove some, or name another directory.`);
}

/** Makes the empty file of the database; false if another start made it already. */
function reserved(path: string): boolean {
  try {
    makePrivateFile(path);
    return true;
  } catch (error) {
    if (failureCode(error) === "EEXIST") return false;
    throw error;
  }
}
