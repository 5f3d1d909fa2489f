import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../app/config/config.ts";
import { makePrivateFolder, removeWithLogs } from "../store/private-file.ts";
import { totalOf, type Inspection } from "../store/transfer/format.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import {
  fromSqlite,
  kindOfBackup,
  restoreDraft,
  restoreTo,
  type BackupKind,
} from "../store/transfer/restore.ts";
import { importFile, inspectionOf, leftOutWords, uncheckedWords } from "./import.ts";
import { CommandError, exitStatus, printResult } from "./output.ts";

interface RestoreOptions {
  readonly file: string;
  /** True: an existing database is moved aside; false: it is a reason to refuse. */
  readonly replace: boolean;
  readonly json: boolean;
  /** True: also restores values that another secret sealed. */
  readonly acceptNewSecret?: boolean;
}

/** Restores everything or nothing; an earlier database stays, under another name. */
export async function restoreDatabase(config: Config, options: RestoreOptions): Promise<void> {
  const { file, replace, json, acceptNewSecret } = options;
  requireFile(file);
  const kind = kindOfBackup(file);
  const path = sqlitePath(config.databaseUrl);
  if (path === null) return intoPostgres(config, options, kind);
  if (existsSync(path) && !replace)
    throw new CommandError(
      `There is a database ${path} already. Restore with --replace to move it aside, or set TICKMARK_DATABASE_URL to a new file.`,
    );
  const inspection = inspectionOf(config, acceptNewSecret);
  makePrivateFolder(dirname(path));
  const draft = restoreDraft(path);
  const { result, replaced } = await abandonable(draft, () =>
    restoreTo({ path, draft, fill: filling(config, file, kind, inspection), now: new Date() }),
  );
  printResult(json, { file, database: path, replaced, ...result, secret_checked: inspection !== null }, [
    result.rows === null
      ? `${file} was checked and restored to ${path} (migration ${result.migration}).`
      : `${result.rows} rows of ${file} were restored to ${path}.`,
    ...(replaced === null ? [] : [`The database that was there is ${replaced}.`]),
    ...leftOutWords(result.rows_left_out),
    ...uncheckedWords(inspection),
  ]);
}

interface Filled {
  readonly migration: number | null;
  readonly rows: number | null;
  readonly rows_left_out: number;
}

const filling =
  (
    config: Config,
    file: string,
    kind: BackupKind,
    inspection: Inspection | null,
  ): Parameters<typeof restoreTo<Filled>>[0]["fill"] =>
  async (draft, steps) => {
    if (kind === "sqlite")
      return { migration: await fromSqlite(file, inspection)(draft, steps), rows: null, rows_left_out: 0 };
    const into = { ...config, databaseUrl: `sqlite:${draft}` };
    const { counts, leftOut } = await importFile(into, file, statSync(file).size, inspection);
    return { migration: null, rows: totalOf(counts), rows_left_out: leftOut };
  };

/** A signal to end removes the draft. A killed process leaves it, and the next start says so. */
async function abandonable<T>(draft: string, work: () => Promise<T>): Promise<T> {
  const abandon = (): void => {
    removeWithLogs(draft);
    process.exit(exitStatus.failed);
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, abandon);
  try {
    return await work();
  } finally {
    for (const name of ["SIGINT", "SIGTERM"]) process.off(name, abandon);
  }
}

async function intoPostgres(
  config: Config,
  { file, replace, json, acceptNewSecret }: RestoreOptions,
  kind: BackupKind,
): Promise<void> {
  if (kind === "sqlite")
    throw new CommandError(
      `${file} is a copy of an SQLite database. For PostgreSQL, export it first: TICKMARK_DATABASE_URL=sqlite:${file} tickmark export FILE, then restore FILE.`,
    );
  if (replace)
    throw new CommandError(
      "--replace moves SQLite files. For PostgreSQL, make an empty database and set TICKMARK_DATABASE_URL to it.",
    );
  const inspection = inspectionOf(config, acceptNewSecret);
  const { counts, leftOut } = await importFile(config, file, statSync(file).size, inspection);
  const rows = totalOf(counts);
  const filled: Filled = { migration: null, rows, rows_left_out: leftOut };
  const result = { replaced: null, ...filled, secret_checked: inspection !== null };
  printResult(json, { file, database: "postgres", ...result }, [
    `${rows} rows of ${file} were restored.`,
    ...leftOutWords(leftOut),
    ...uncheckedWords(inspection),
  ]);
}

function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`There is no file ${file}.`);
}
