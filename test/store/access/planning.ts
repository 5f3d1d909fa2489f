import { sql } from "kysely";
import { all, type Database, type Step, type Work } from "../../../src/store/engine/database.ts";
import { query, type Query } from "../../../src/store/engine/query.ts";
import type { Statement } from "../../../src/store/engine/statement.ts";
import type { DatabaseKind } from "../../support/databases.ts";

type Line = Record<string, string | number>;

const noSeqScan = query<Record<string, never>>()<Line>((db) => ({
  compile: () =>
    sql<Line>`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.compile(
      db,
    ),
}));

const explained = (prefix: string, { sql, places }: Statement): Statement => ({
  sql: `${prefix} ${sql}`,
  places,
});

/** The plan of a statement as text. Small tables are read whole whatever the indexes, so PostgreSQL is told not to. */
export async function planOf(db: Database, { query, values }: Step): Promise<string> {
  const { sqlite, postgres } = query.statements;
  const plan: Query<Record<string, never>, Line> = {
    name: `explain_${query.name}`,
    statements: {
      sqlite: explained("EXPLAIN QUERY PLAN", sqlite),
      postgres: explained("EXPLAIN", postgres),
      merged: null,
    },
  };
  const lines = await db.writeRelaxed(function* (): Work<Line[]> {
    if (db.dialect === "postgres") yield* all(noSeqScan, {});
    const { rows } = yield { query: plan, values };
    return rows as Line[];
  });
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}

/** One access to a table in a plan: by which conditions rows are found, empty where all of them are read. */
export interface Scan {
  readonly table: string;
  readonly condition: string;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

const loopsAlone = query<Record<string, never>>()<Line>((db) => ({
  compile: () =>
    sql<Line>`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`.compile(db),
}));

/** How a statement finds its rows on PostgreSQL, where it has an index for them. */
export async function scansOf(db: Database, { query, values }: Step): Promise<Scan[]> {
  const { sqlite, postgres } = query.statements;
  const plan: Query<Record<string, never>, Line> = {
    name: `plan_${query.name}`,
    statements: { sqlite, postgres: explained("EXPLAIN (FORMAT JSON)", postgres), merged: null },
  };
  const scans: Scan[] = [];
  const visit = (node: PlanNode): void => {
    const table = node["Relation Name"];
    // The rows that are written are those of the scan below it; a new row names its server itself.
    if (table !== undefined && node["Node Type"] !== "ModifyTable")
      scans.push({
        table,
        condition: `${node["Index Cond"] ?? node["Recheck Cond"] ?? ""} ${node.Filter ?? ""}`,
      });
    node.Plans?.forEach(visit);
  };
  const [line] = await db.writeRelaxed(function* (): Work<{ "QUERY PLAN": { Plan: PlanNode }[] }[]> {
    yield* all(loopsAlone, {});
    const { rows } = yield { query: plan, values };
    return rows as { "QUERY PLAN": { Plan: PlanNode }[] }[];
  });
  line?.["QUERY PLAN"].forEach(({ Plan }) => visit(Plan));
  return scans;
}

/** Notes each statement that any caller runs through the database from now on. */
export function noteAll(db: Database, into: Step[]): void {
  const { read, readCached, write, writeFor, writeRelaxed } = db;
  const noted = noter(into);
  Object.assign(db, {
    read: (work, ...values) => read(noted(() => work(...values))),
    readCached: (how, work, ...values) =>
      readCached(
        how,
        noted(() => work(...values)),
      ),
    write: (work, ...values) => write(noted(() => work(...values))),
    writeFor: (key, work, ...values) =>
      writeFor(
        key,
        noted(() => work(...values)),
      ),
    writeRelaxed: (work, ...values) => writeRelaxed(noted(() => work(...values))),
  } satisfies Pick<Database, "read" | "readCached" | "write" | "writeFor" | "writeRelaxed">);
}

/** A unit of work that notes its statements. */
const noter =
  (into: Step[]) =>
  <T>(work: () => Work<T>) =>
    function* (): Work<T> {
      const inner = work();
      let step = inner.next();
      while (!step.done) {
        into.push(step.value);
        step = inner.next(yield step.value);
      }
      return step.value;
    };

/** The same database, which notes the statements that are read and written through it. */
export function noting(db: Database): { db: Database; steps: Step[]; writes: Step[] } {
  const steps: Step[] = [];
  const writes: Step[] = [];
  const [noted, notedWrites] = [noter(steps), noter(writes)];
  const read: Database["read"] = (work, ...values) => db.read(noted(() => work(...values)));
  const write: Database["write"] = (work, ...values) => db.write(notedWrites(() => work(...values)));
  const writeRelaxed: Database["write"] = (work, ...values) =>
    db.writeRelaxed(notedWrites(() => work(...values)));
  return { db: { ...db, read, write, writeRelaxed }, steps, writes };
}

export const wholeTable: Record<DatabaseKind, RegExp> = {
  "SQLite in memory": /SCAN (?!.*CONSTANT)/,
  "SQLite in a file": /SCAN (?!.*CONSTANT)/,
  PostgreSQL: /Seq Scan/,
};
export const sorted = /USE TEMP B-TREE|Sort/;
