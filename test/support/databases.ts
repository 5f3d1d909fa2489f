import { openDatabase } from "../../src/store/engine/open-database.ts";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe } from "vitest";
import type { Database } from "../../src/store/engine/database.ts";
import { startPostgres, whyNoPostgres, type PostgresServer } from "./postgres.ts";

/** A running server to use instead of starting one; its user must be allowed to make databases. */
export const postgresVariable = "TICKMARK_TEST_POSTGRES_URL";

export type DatabaseKind = "SQLite in memory" | "SQLite in a file" | "PostgreSQL";

/** What most suites run on: a file behaves like memory but where connections meet or a process ends. */
const usualKinds: readonly DatabaseKind[] = ["SQLite in memory", "PostgreSQL"];
/** Several processes or connections can share these. */
export const sharedKinds: readonly DatabaseKind[] = ["SQLite in a file", "PostgreSQL"];
/** For suites about locks, claims and races of which a part needs a second connection. */
export const everyKind: readonly DatabaseKind[] = ["SQLite in memory", ...sharedKinds];

/** Where a suite gets its databases; all that was handed out is closed and removed after the suite. */
export interface Databases {
  /** The URL of a new database that has its tables, and no row. */
  url(): Promise<string>;
  /** The URL of an empty database, without any table: for tests of migrations and of imports. */
  emptyUrl(): Promise<string>;
  /** The URL of a copy of a database that nobody has open. */
  copy(url: string): Promise<string>;
  /** Opens that database, a new one without rows unless told otherwise, after its migrations. */
  open(url?: string): Promise<Database>;
}

interface Source {
  emptyUrl(): Promise<string>;
  /** The URL of a copy of one that has its tables: making them takes a second. */
  migratedUrl(): Promise<string>;
  copy(url: string): Promise<string>;
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
  if (!running) return;
  [template, maintenance] = [null, null];
  await (await running).stop();
}

/** The connection over which this worker makes and drops databases: a new one costs more than most statements. */
let maintenance: Promise<pg.Client> | null = null;

async function connectedClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  // It ends with the server.
  client.on("error", () => {
    maintenance = null;
  });
  await client.connect();
  return client;
}

async function onServer(statement: string): Promise<void> {
  maintenance ??= connectedClient();
  await (await maintenance).query(statement);
}

/** Words in their language's order, which is where text that is compared by its bytes elsewhere differs. */
const linguistic = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";

let serial = 0;

const newName = (): string => `tickmark_${process.pid}_${(serial += 1)}`;

async function urlOf(name: string): Promise<string> {
  const url = new URL(await serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function makeEmpty(name: string): Promise<string> {
  await onServer(`CREATE DATABASE ${name} ${linguistic}`).catch(async (error: Error) => {
    console.warn(`No linguistic order on this PostgreSQL, using its own: ${error.message}`);
    await onServer(`CREATE DATABASE ${name}`);
  });
  return urlOf(name);
}

/** One database of this worker that holds all tables and no row: others are copies of it. */
let template: Promise<string> | null = null;

async function makeTemplate(): Promise<string> {
  const name = newName();
  const database = await openDatabase(await makeEmpty(name), () => {});
  await database.close();
  return name;
}

async function makeCopy(name: string, of: string): Promise<string> {
  // Writing a whole database into the log costs twice as much, and nothing is replayed here.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${of} STRATEGY file_copy`);
  return urlOf(name);
}

function postgresSource(): Source {
  const names: string[] = [];
  const made = (make: (name: string) => Promise<string>) => async (): Promise<string> => {
    const name = newName();
    names.push(name);
    return make(name);
  };
  return {
    emptyUrl: made(makeEmpty),
    migratedUrl: made(async (name) => makeCopy(name, await (template ??= makeTemplate()))),
    copy: (url) => made((name) => makeCopy(name, new URL(url).pathname.slice(1)))(),
    remove: async () => {
      for (const name of names) await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The bytes of a file that holds all tables and no row: others are copies of it. */
let templateFile: Buffer | null = null;

async function makeTemplateFile(path: string): Promise<Buffer> {
  await (await openDatabase(`sqlite:${path}`, () => {})).close();
  return readFileSync(path);
}

function fileSource(): Source {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-sqlite-"));
  let files = 0;
  const nextPath = (): string => join(folder, `${(files += 1)}.db`);
  return {
    emptyUrl: async () => `sqlite:${nextPath()}`,
    migratedUrl: async () => {
      const path = nextPath();
      templateFile ??= await makeTemplateFile(nextPath());
      writeFileSync(path, templateFile, { mode: 0o600 });
      return `sqlite:${path}`;
    },
    copy: async (url) => {
      const path = nextPath();
      copyFileSync(url.slice("sqlite:".length), path);
      return `sqlite:${path}`;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const memoryUrl = async (): Promise<string> => "sqlite::memory:";
const memorySource = (): Source => ({
  emptyUrl: memoryUrl,
  migratedUrl: memoryUrl,
  copy: async () => {
    throw new Error("A database in memory ends with its connection, and cannot be copied.");
  },
  remove: async () => {},
});

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

/** Runs one suite on each of `kinds` of database. */
export function eachDatabase(
  suite: (databases: Databases, kind: DatabaseKind) => void,
  kinds: readonly DatabaseKind[] = usualKinds,
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
        const database = await openDatabase(url ?? (await source.migratedUrl()), () => {});
        opened.push(database);
        return database;
      };
      suite(
        {
          url: () => source.migratedUrl(),
          emptyUrl: () => source.emptyUrl(),
          copy: (url) => source.copy(url),
          open,
        },
        kind,
      );
    });
  }
  afterAll(stopServer);
}
