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

/** The same database, which notes the statements that are read and written through it. */
export function noting(db: Database): { db: Database; steps: Step[]; writes: Step[] } {
  const steps: Step[] = [];
  const writes: Step[] = [];
  const noted = <T>(work: () => Work<T>, into: Step[]) =>
    function* (): Work<T> {
      const inner = work();
      let step = inner.next();
      while (!step.done) {
        into.push(step.value);
        step = inner.next(yield step.value);
      }
      return step.value;
    };
  const read: Database["read"] = (work, ...values) => db.read(noted(() => work(...values), steps));
  const write: Database["write"] = (work, ...values) => db.write(noted(() => work(...values), writes));
  const writeRelaxed: Database["write"] = (work, ...values) =>
    db.writeRelaxed(noted(() => work(...values), writes));
  return { db: { ...db, read, write, writeRelaxed }, steps, writes };
}

export const wholeTable: Record<DatabaseKind, RegExp> = {
  "SQLite in memory": /SCAN (?!.*CONSTANT)/,
  "SQLite in a file": /SCAN (?!.*CONSTANT)/,
  PostgreSQL: /Seq Scan/,
};
export const sorted = /USE TEMP B-TREE|Sort/;
