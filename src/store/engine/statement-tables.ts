import type { Dialect, Query } from "./query.ts";

/** The tables of a statement by name. It may name more than there are: aliases, and tables that it reads to write. */
export interface StatementTables {
  readonly read: readonly string[];
  readonly written: readonly string[];
  readonly deletes: boolean;
}

const reads = /\b(?:from|join)\s+"?(\w+)/giu;
const writes = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/giu;
const deletes = /\bdelete\s+from\b/iu;

const known = new WeakMap<object, StatementTables>();

const namesIn = (sql: string, after: RegExp): string[] => [
  ...new Set([...sql.matchAll(after)].map(([, name = ""]) => name.toLowerCase())),
];

/** Which tables a query reads and writes; worked out once. */
export function tablesOf({ statements }: Query<unknown, unknown>, dialect: Dialect): StatementTables {
  const found = known.get(statements);
  if (found) return found;
  const { sql } = statements[dialect];
  const tables = { read: namesIn(sql, reads), written: namesIn(sql, writes), deletes: deletes.test(sql) };
  known.set(statements, tables);
  return tables;
}
