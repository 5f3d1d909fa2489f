import type { Config } from "../app/config/config.ts";
import type { Database } from "../store/engine/database.ts";
import { openAsItIs } from "../store/engine/open-database.ts";

export async function withDatabase<T>(config: Config, use: (db: Database) => Promise<T>): Promise<T> {
  const database = await openAsItIs(config.databaseUrl);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
