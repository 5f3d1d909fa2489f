import type Sqlite from "better-sqlite3";
import { openSqliteConnection } from "../../../src/store/engine/sqlite-library.ts";
import { expect, it } from "vitest";
import { query } from "../../../src/store/engine/query.ts";

/** Bound as a whole number: SQLite tells from the type, too, what it planned for. */
const limit = 7777n;
const pages = query<{ after: string; limit: number }>()((db, $) =>
  db.selectFrom("server").select("id").where("id", ">", $.after).orderBy("id").limit($.limit),
);
const oldest = query<{ limit: number }>()((db, $) =>
  db
    .selectFrom("account")
    .select("id")
    .where("id", "in", (eb) => eb.selectFrom("server").select("account_id").orderBy("id").limit($.limit)),
);

/** Whether the program that SQLite makes of a statement has the limit in it, so that it holds for no other one. */
function isPlannedFor(db: Sqlite.Database, sql: string, values: readonly unknown[]): boolean {
  const program = db.prepare(`EXPLAIN ${sql}`).all(...values) as { opcode: string; p1: number }[];
  expect(program.length).toBeGreaterThan(5);
  return program.some(({ opcode, p1 }) => opcode === "Integer" && p1 === Number(limit));
}

it("SQLite plans a statement once, whatever limits it is run with", () => {
  const db = openSqliteConnection(":memory:");
  db.exec("CREATE TABLE server (id text primary key, account_id text); CREATE TABLE account (id text)");
  expect(isPlannedFor(db, "SELECT id FROM server ORDER BY id LIMIT ?", [limit])).toBe(true);
  expect(isPlannedFor(db, pages.statements.sqlite.sql, ["", limit])).toBe(false);
  expect(isPlannedFor(db, oldest.statements.sqlite.sql, [limit])).toBe(false);
  expect(pages.statements.postgres.sql).toMatch(/limit \$2$/u);
});
