import { postgresVariable, whyPostgresIsSkipped } from "./databases.ts";
import { startPostgres } from "./postgres.ts";

/** Starts one PostgreSQL for a whole run, so that not every file starts its own. */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[postgresVariable] || whyPostgresIsSkipped() !== null) return async () => {};
  const server = await startPostgres();
  process.env[postgresVariable] = server.url;
  return () => server.stop();
}
