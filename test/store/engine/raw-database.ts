import { existsSync, readFileSync } from "node:fs";
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

/** Clock ticks a second in which `/proc` counts processor time. */
const ticks = 100;

/** Processor time of the processes behind the open connections to this PostgreSQL database, ms; 0 where they are elsewhere. */
async function connectionsCpuMs(url: string): Promise<number> {
  const raw = await openRaw(url);
  const others = await raw.rows(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await raw.close();
  const used = others.map(({ pid }) => {
    const stat = `/proc/${String(pid)}/stat`;
    if (!existsSync(stat)) return 0;
    const [user, system] = readFileSync(stat, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 13);
    return ((Number(user) + Number(system)) * 1000) / ticks;
  });
  return used.reduce((sum, ms) => sum + ms, 0);
}

/** Processor time of this process and of the database's connections, ms: what a statement cost, whatever else the machine does. */
export async function databaseCpuMs(url: string): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (url.startsWith("sqlite:") ? 0 : await connectionsCpuMs(url));
}
