import { openDatabase } from "../store/engine/open-database.ts";
import type { Config } from "../config.ts";
import { printResult } from "./output.ts";

/** Brings the schema up to date, as every start does, and ends. */
export async function migrate(config: Config, { json }: { json: boolean }): Promise<void> {
  const database = await openDatabase(config.databaseUrl, () => {});
  await database.close();
  printResult(json, { migrated: true }, ["The database is up to date."]);
}
