import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import pg from "pg";
import { applyToSqlite } from "../../../src/store/engine/migrate-sqlite.ts";
import { applyToPostgres } from "../../../src/store/engine/postgres.ts";

/** A database without our stores over it. */
export interface RawDatabase {
  run(statement: string): Promise<void>;
  rows(statement: string): Promise<Record<string, unknown>[]>;
  /** Applies the migrations that are missing, within the transaction in progress. */
  upgrade(): Promise<void>;
  close(): Promise<void>;
  readonly dialect: "sqlite" | "postgres";
}

async function rawPostgres(url: string): Promise<RawDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    dialect: "postgres",
    run: async (statement) => {
      await client.query(statement);
    },
    rows: async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    upgrade: () => applyToPostgres(client),
    close: () => client.end(),
  };
}

function rawSqlite(path: string): RawDatabase {
  const db = openSqliteConnection(path);
  return {
    dialect: "sqlite",
    run: async (statement) => {
      db.exec(statement);
    },
    rows: async (statement) => db.prepare<[], Record<string, unknown>>(statement).all(),
    upgrade: async () => applyToSqlite(db),
    close: async () => {
      db.close();
    },
  };
}

export const openRaw = async (url: string): Promise<RawDatabase> =>
  url.startsWith("sqlite:") ? rawSqlite(url.slice("sqlite:".length)) : rawPostgres(url);

/** What PostgreSQL does by itself a minute later: it plans by what the tables hold. */
export async function analyse(url: string): Promise<void> {
  const raw = await openRaw(url);
  await raw.run("ANALYZE");
  await raw.close();
}
