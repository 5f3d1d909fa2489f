import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/stores.ts";
import { startPostgres, whyNoPostgres, type PostgresServer } from "./postgres.ts";

/** A running server to use instead of starting one; its user must be allowed to make databases. */
export const postgresVariable = "TICKMARK_TEST_POSTGRES_URL";

export type DatabaseKind = "SQLite in memory" | "SQLite in a file" | "PostgreSQL";

/** Several processes or connections can share these. */
export const sharedKinds: readonly DatabaseKind[] = ["SQLite in a file", "PostgreSQL"];
const allKinds: readonly DatabaseKind[] = ["SQLite in memory", ...sharedKinds];

/** Where a suite gets its databases; all that was handed out is closed and removed after the suite. */
export interface Databases {
  /** The URL of an empty database. */
  url(): Promise<string>;
  /** Opens that database, a new one unless told otherwise. */
  open(url?: string): Promise<Database>;
}

interface Source {
  url(): Promise<string>;
  remove(): Promise<void>;
}

let server: Promise<PostgresServer> | null = null;

async function serverUrl(): Promise<string> {
  const running = process.env[postgresVariable];
  if (running) return running;
  server ??= startPostgres();
  return (await server).url;
}

async function stopServer(): Promise<void> {
  const running = server;
  server = null;
  await (await running)?.stop();
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Words in their language's order, which is where text that is compared by its bytes elsewhere differs. */
const linguistic = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";

let serial = 0;

async function makePostgresDatabase(): Promise<string> {
  serial += 1;
  const name = `tickmark_${process.pid}_${serial}`;
  await onServer(`CREATE DATABASE ${name} ${linguistic}`).catch(async (error: Error) => {
    console.warn(`No linguistic order on this PostgreSQL, using its own: ${error.message}`);
    await onServer(`CREATE DATABASE ${name}`);
  });
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

function postgresSource(): Source {
  const names: string[] = [];
  return {
    url: async () => {
      const url = await makePostgresDatabase();
      names.push(new URL(url).pathname.slice(1));
      return url;
    },
    remove: async () => {
      for (const name of names) await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function fileSource(): Source {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-sqlite-"));
  let files = 0;
  return {
    url: async () => {
      files += 1;
      return `sqlite:${join(folder, `${files}.db`)}`;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const memorySource = (): Source => ({ url: async () => "sqlite::memory:", remove: async () => {} });

const sources: Record<DatabaseKind, () => Source> = {
  "SQLite in memory": memorySource,
  "SQLite in a file": fileSource,
  PostgreSQL: postgresSource,
};

/** Null when tests can have a PostgreSQL. Without one they are skipped, loudly; where CI runs them they fail. */
export function whyPostgresIsSkipped(): string | null {
  if (process.env[postgresVariable] || process.env["CI"]) return null;
  const reason = whyNoPostgres();
  if (reason !== null) console.warn(`\n!!! SKIPPED: every test on PostgreSQL. Found ${reason}.\n`);
  return reason;
}

/** Runs one suite on each kind of database. */
export function eachDatabase(
  suite: (databases: Databases, kind: DatabaseKind) => void,
  kinds: readonly DatabaseKind[] = allKinds,
): void {
  for (const kind of kinds) {
    const skipped = kind === "PostgreSQL" && whyPostgresIsSkipped() !== null;
    describe.skipIf(skipped)(`on ${kind}`, () => {
      const source = sources[kind]();
      const opened: Database[] = [];
      afterAll(async () => {
        await Promise.all(opened.map((database) => database.close()));
        await source.remove();
      });
      const open = async (url?: string): Promise<Database> => {
        const database = await openDatabase(url ?? (await source.url()), () => {});
        opened.push(database);
        return database;
      };
      suite({ url: () => source.url(), open }, kind);
    });
  }
  afterAll(stopServer);
}
