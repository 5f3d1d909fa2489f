import { statSync } from "node:fs";
import type { Config } from "../app/config/config.ts";
import { backupSqlite } from "../store/transfer/backup.ts";
import { minuteMs } from "../core/time.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import { readIdentity } from "../store/transfer/database-identity.ts";
import { databaseAt } from "./backup-folder.ts";
import { durationOf, numberKept } from "./backup-options.ts";
import { aloneAt } from "./backup-turns.ts";
import { exportToFile } from "./export.ts";
import { backUpOnce, keepBackingUp } from "./keep-backing-up.ts";
import { makeFile } from "./new-file.ts";
import { CommandError, exitStatus, printError, printLine, printResult } from "./output.ts";
import { progressOn, sizeOf } from "./progress.ts";

export interface BackupOptions {
  readonly file: string;
  /** Time between backups into the folder `file`; left out: one backup. */
  readonly every?: string;
  /** Number of backups to keep in the folder `file`; left out: all. */
  readonly keep?: string;
  readonly json: boolean;
}

/** The service may run meanwhile: an SQLite file is copied, a PostgreSQL database is exported. */
export async function backup(config: Config, { file, every, keep, json }: BackupOptions): Promise<void> {
  const path = sqlitePath(config.databaseUrl);
  if (file === "-") throw new CommandError("backup takes the name of a new file, not -.", exitStatus.usage);
  if (every !== undefined || keep !== undefined)
    return intoFolder(config, { folder: file, every, keep, json });
  if (path === null) await makeFile(file, (draft) => exportToFile(draft, config.databaseUrl, () => {}));
  else await copied(path, file);
  const bytes = statSync(file).size;
  const secret = path === null ? "TICKMARK_SECRET" : `TICKMARK_SECRET, or ${path}.secret`;
  const what = path === null ? "an export" : "checked";
  printResult(json, { file, bytes }, [
    `${file}: ${sizeOf(bytes)}, ${what}. Keep it together with the secret in use (${secret}).`,
  ]);
}

async function copied(path: string, file: string): Promise<void> {
  const progress = progressOn();
  try {
    await makeFile(file, (draft) =>
      backupSqlite(path, draft, (pagesCopied, pages) =>
        progress.tell(`Copying: ${Math.floor((100 * pagesCopied) / Math.max(1, pages))} %`),
      ),
    );
  } finally {
    progress.end();
  }
}

async function intoFolder(
  config: Config,
  {
    folder,
    every,
    keep,
    json,
  }: { folder: string; every: string | undefined; keep: string | undefined; json: boolean },
): Promise<void> {
  const kept = numberKept("--keep", keep);
  const everyMs = every === undefined ? null : durationOf("--every", every);
  let made = 0;
  const tell = ({ file, bytes }: { file: string; bytes: number }): void => {
    made += 1;
    printResult(json, { file, bytes }, [`${file}: ${sizeOf(bytes)}`]);
  };
  const url = config.databaseUrl;
  const database = databaseAt(url, await readIdentity(url));
  const into = { folder, keep: kept, everyMs: everyMs ?? 0, database };
  if (everyMs === null) {
    tell(await backUpOnce(into));
    return;
  }
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  if (!json) printLine(`A backup is made into ${folder} every ${every}. End with Ctrl-C.`);
  await keepBackingUp(into, ending.signal, {
    made: tell,
    failed: (error) => {
      // If the first backup fails, the folder or the database may not be usable at all.
      if (made === 0) throw error;
      printError(`A backup could not be made: ${error instanceof Error ? error.message : String(error)}`);
    },
    waits: (ms) => printError(`The last attempt failed. ${waitWords(ms)}`),
    alone: aloneAt(url),
  });
}

export const waitWords = (ms: number): string =>
  `The next one is made in ${Math.ceil(ms / minuteMs)} minutes; \`tickmark backup FILE\` makes one now.`;
