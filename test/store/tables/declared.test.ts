import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { expect, test } from "vitest";
import * as access from "../../../src/store/access/tables.ts";
import * as alert from "../../../src/store/alert/tables.ts";
import * as autoBench from "../../../src/store/auto-bench/tables.ts";
import { migrateSqlite } from "../../../src/store/engine/migrate-sqlite.ts";
import { serverEventTable } from "../../../src/store/event/server-event-table.ts";
import * as health from "../../../src/store/health/tables.ts";
import { jobTable } from "../../../src/store/job/job-table.ts";
import * as maintenance from "../../../src/store/maintenance/tables.ts";
import * as memoryReport from "../../../src/store/memory-report/tables.ts";
import * as metric from "../../../src/store/metric/tables.ts";
import * as notice from "../../../src/store/notice/tables.ts";
import * as offer from "../../../src/store/offer/tables.ts";
import * as profile from "../../../src/store/profile/tables.ts";
import { reportTable } from "../../../src/store/report/report-table.ts";
import { reportStandingTable } from "../../../src/store/report/standing-table.ts";
import { securityLogTable } from "../../../src/store/security-log/security-log-table.ts";
import * as server from "../../../src/store/server/tables.ts";
import { serverSoftwareTable } from "../../../src/store/software/server-software-table.ts";
import { serviceLogTable } from "../../../src/store/service-log/service-log-table.ts";
import * as statusPage from "../../../src/store/status-page/tables.ts";
import { databaseIdentityTable } from "../../../src/store/transfer/database-identity-table.ts";
import { unitTestTable } from "../../../src/store/unit-test/unit-test-table.ts";

interface Codec {
  readonly type: string;
  readonly isNullable: boolean;
  readonly mapsNull: boolean;
}

interface Declared {
  readonly name: string;
  readonly declared: Readonly<Record<string, { readonly codec: Codec }>>;
}

const modules = [
  access,
  alert,
  autoBench,
  health,
  maintenance,
  memoryReport,
  metric,
  notice,
  offer,
  profile,
  server,
  statusPage,
];
const alone = [databaseIdentityTable, jobTable, reportTable, reportStandingTable, securityLogTable];
const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" && value !== null && "declared" in value;

const tables: Declared[] = [
  ...modules.flatMap((module) => Object.values<unknown>(module)).filter(isDeclared),
  ...alone,
  serverEventTable,
  serverSoftwareTable,
  serviceLogTable,
  unitTestTable,
];

interface Described {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

type Columns = Readonly<Record<string, { readonly codec: Codec }>>;

const declaredColumns = (name: string): Columns =>
  Object.assign({}, ...tables.filter((table) => table.name === name).map(({ declared }) => declared));

const kinds: readonly (readonly [kind: string, types: readonly string[]])[] = [
  ["text", ["text", "TEXT"]],
  ["number", ["integer", "real", "SMALLINT", "INTEGER", "BIGINT", "DOUBLE PRECISION"]],
  ["bytes", ["bytes", "BLOB"]],
];
const kindOf = (type: string): string => kinds.find(([, types]) => types.includes(type))?.[0] ?? type;

const shown = (name: string, type: string, isNullable: boolean): string =>
  `${name} ${kindOf(type)}${isNullable ? " or null" : ""}`;

const fromDeclaration = (columns: Columns): string[] =>
  Object.entries(columns).map(([name, { codec }]) => shown(name, codec.type, codec.isNullable));

/** A column with mappings of its own decides itself what null means. A key is never null. */
const fromDatabase = (columns: readonly Described[], declared: Columns): string[] =>
  columns.map(({ name, type, notnull, pk }) =>
    shown(name, type, notnull === 0 && pk === 0 && declared[name]?.codec.mapsNull !== true),
  );

test("every table is declared with the columns that the database has", () => {
  const db = openSqliteConnection(":memory:");
  migrateSqlite(db);
  const listed = db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = listed.all().map(({ name }) => name);
  const known = names.filter((name) => name !== "schema_migration" && !name.startsWith("sqlite_"));
  expect(known.length).toBeGreaterThan(40);
  for (const name of known) {
    const columns = db.prepare<[string], Described>("SELECT * FROM pragma_table_info(?)").all(name);
    const declared = declaredColumns(name);
    expect({ name, columns: fromDeclaration(declared).toSorted() }).toEqual({
      name,
      columns: fromDatabase(columns, declared).toSorted(),
    });
  }
  db.close();
});
