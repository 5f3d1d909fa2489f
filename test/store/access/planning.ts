import { sql } from "kysely";
import { all, type Database, type Step, type Work } from "../../../src/store/engine/database.ts";
import { query, type Query } from "../../../src/store/engine/query.ts";
import type { Statement } from "../../../src/store/engine/statement.ts";
import type { DatabaseKind } from "../../support/databases.ts";

type Line = Record<string, string | number>;

const noSort = query<Record<string, never>>()<Line>((db) => ({
  compile: () => sql<Line>`SELECT set_config('enable_sort', 'off', true)`.compile(db),
}));

const explained = (prefix: string, { sql, places }: Statement): Statement => ({
  sql: `${prefix} ${sql}`,
  places,
});

/** What the database answers when it is asked how it would run a statement; `isSorted`: PostgreSQL may sort. */
function planned<Row>(db: Database, { query, values }: Step, isSorted: boolean, how: string): Promise<Row[]> {
  const { sqlite, postgres } = query.statements;
  const plan: Query<Record<string, never>, Row> = {
    name: `${how}_${query.name}`,
    statements: {
      sqlite: explained("EXPLAIN QUERY PLAN", sqlite),
      postgres: explained(how, postgres),
      merged: null,
    },
  };
  return db.writeRelaxed(function* (): Work<Row[]> {
    if (db.dialect === "postgres" && !isSorted) yield* all(noSort, {});
    const { rows } = yield { query: plan, values };
    return rows as Row[];
  });
}

/** The plan of a statement as text. Few rows are sorted whatever the indexes, so here PostgreSQL may not sort. */
export async function planOf(db: Database, step: Step): Promise<string> {
  const lines = await planned<Line>(db, step, false, "EXPLAIN");
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

/** How a statement finds its rows on PostgreSQL, where it has an index for them. */
export async function scansOf(db: Database, step: Step): Promise<Scan[]> {
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
  type Answer = Record<"QUERY PLAN", readonly { readonly Plan: PlanNode }[]>;
  const [answer] = await planned<Answer>(db, step, true, "EXPLAIN (FORMAT JSON)");
  answer?.["QUERY PLAN"].forEach(({ Plan }) => visit(Plan));
  return scans;
}

/** The ways to run units, with each statement noted: those of reading units, and those of writing ones. */
function noted(
  db: Database,
  reads: Step[],
  writes: Step[],
): Omit<Database, "dialect" | "tryAlone" | "connections" | "version" | "refusal" | "isDiskFull" | "close"> {
  const { read, readCached, write, writeFor, writeRelaxed } = db;
  const noting =
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
  const [reading, writing] = [noting(reads), noting(writes)];
  return {
    read: (work, ...values) => read(reading(() => work(...values))),
    endCached: db.endCached,
    readCached: (how, work, ...values) =>
      readCached(
        how,
        reading(() => work(...values)),
      ),
    write: (work, ...values) => write(writing(() => work(...values))),
    writeFor: (key, work, ...values) =>
      writeFor(
        key,
        writing(() => work(...values)),
      ),
    writeRelaxed: (work, ...values) => writeRelaxed(writing(() => work(...values))),
  };
}

/** The same database, which notes the statements that are read and written through it. */
export function noting(db: Database): { db: Database; steps: Step[]; writes: Step[] } {
  const [steps, writes]: [Step[], Step[]] = [[], []];
  return { db: { ...db, ...noted(db, steps, writes) }, steps, writes };
}

/** Notes each statement that anybody runs through the database from now on. */
export const noteAll = (db: Database, into: Step[]): void => void Object.assign(db, noted(db, into, into));

export const wholeTable: Record<DatabaseKind, RegExp> = {
  "SQLite in memory": /SCAN (?!.*CONSTANT|json_each)/,
  "SQLite in a file": /SCAN (?!.*CONSTANT|json_each)/,
  PostgreSQL: /Seq Scan/,
};
export const sorted = /USE TEMP B-TREE|Sort/;
