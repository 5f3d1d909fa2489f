import { existsSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { totalOf } from "../store/transfer/format.ts";
import { sqlitePath } from "../store/transfer/open.ts";
import { kindOfBackup, restoreSqlite, setAside } from "../store/transfer/restore.ts";
import { compactTime } from "../store/transfer/upgrade-backup.ts";
import { importFile, inspectionOf, uncheckedWords } from "./import.ts";
import { CommandError, printResult } from "./output.ts";

interface RestoreOptions {
  readonly file: string;
  /** True: a database that is there is moved aside; false: it is a reason to refuse. */
  readonly replace: boolean;
  readonly json: boolean;
  /** Whether what another secret sealed is restored all the same. */
  readonly acceptNewSecret?: boolean;
}

/** Restores a backup or an export, all of it or nothing; what was there before stays, under another name. */
export async function restoreDatabase(config: Config, options: RestoreOptions): Promise<void> {
  const { file, replace, json, acceptNewSecret } = options;
  requireFile(file);
  const kind = kindOfBackup(file);
  const path = sqlitePath(config.databaseUrl);
  if (path === null) return intoPostgres(config, options, kind);
  const aside = existsSync(path) ? `${path}.replaced-${compactTime(new Date())}` : null;
  if (aside !== null && !replace)
    throw new CommandError(
      `There is a database ${path} already. Restore with --replace to move it aside, or set TICKMARK_DATABASE_URL to a new file.`,
    );
  const inspection = inspectionOf(config, acceptNewSecret);
  const bringBack = setAside(path, aside);
  try {
    const result =
      kind === "sqlite"
        ? { migration: restoreSqlite(file, path, inspection), rows: null }
        : { migration: null, rows: totalOf(await importFile(config, file, statSync(file).size, inspection)) };
    printResult(
      json,
      { file, database: path, replaced: aside, ...result, secret_checked: inspection !== null },
      [
        result.rows === null
          ? `${file} was checked and restored to ${path} (migration ${result.migration}).`
          : `${result.rows} rows of ${file} were restored to ${path}.`,
        ...(aside === null ? [] : [`The database that was there is ${aside}.`]),
        ...uncheckedWords(inspection),
      ],
    );
  } catch (error) {
    bringBack();
    throw error;
  }
}

async function intoPostgres(
  config: Config,
  { file, replace, json, acceptNewSecret }: RestoreOptions,
  kind: ReturnType<typeof kindOfBackup>,
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
  const rows = totalOf(await importFile(config, file, statSync(file).size, inspection));
  const result = { replaced: null, migration: null, rows, secret_checked: inspection !== null };
  printResult(json, { file, database: "postgres", ...result }, [
    `${rows} rows of ${file} were restored.`,
    ...uncheckedWords(inspection),
  ]);
}

function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new CommandError(`There is no file ${file}.`);
}
