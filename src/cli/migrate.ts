import { openDatabase } from "../store/engine/open-database.ts";
import { plannedUpgrade } from "../store/migrations/planned.ts";
import type { Config } from "../app/config/config.ts";
import { printError, printResult } from "./output.ts";

export interface MigrateOptions {
  readonly dryRun: boolean;
  /** False: an SQLite file is upgraded without a copy. */
  readonly backup: boolean;
  /** True: an empty database may be made beside the files of one that was moved away. */
  readonly newDatabase: boolean;
  readonly json: boolean;
}

/** Brings the schema up to date, as every start does. With `dryRun`, changes nothing. */
export async function migrate(
  config: Config,
  { dryRun, backup, newDatabase, json }: MigrateOptions,
): Promise<void> {
  const { current, missing } = await plannedUpgrade(config.databaseUrl);
  const steps = missing.map(({ id, name }) => ({ id, name }));
  if (dryRun) {
    printResult(json, { migrated: false, current, missing: steps }, [
      current === null ? "There is no database yet." : `The database has migration ${current}.`,
      ...steps.map(({ id, name }) => `missing: ${id} (${name})`),
      steps.length === 0 ? "It is up to date." : "Nothing was changed.",
    ]);
    return;
  }
  let copy: string | null = null;
  const onBackup = (path: string): void => {
    copy = path;
  };
  const database = await openDatabase(config.databaseUrl, () => {}, {
    backup,
    onBackup,
    isNew: newDatabase,
    onLeftBehind: printError,
  });
  await database.close();
  printResult(json, { migrated: true, current, applied: steps, backup: copy }, [
    ...(copy === null ? [] : [`Backup of the database before its upgrade: ${String(copy)}`]),
    "The database is up to date.",
  ]);
}
