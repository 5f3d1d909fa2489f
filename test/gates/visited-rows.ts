import type Sqlite from "better-sqlite3";
import pg from "pg";
import type { Step } from "../../src/store/engine/database.ts";
import { planSettings } from "../../src/store/engine/postgres-plans.ts";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { bind } from "../../src/store/engine/statement.ts";
import type { Value } from "../../src/store/engine/table.ts";

/** What one statement read and answered. */
interface Visit {
  /** Rows of tables and entries of indexes that it came to, those that it left out included. */
  readonly visited: number;
  readonly answered: number;
  readonly plan: string;
}

/** Runs statements on a database and counts what they read; undoes what they write. */
interface Counter {
  visit(step: Step): Promise<Visit | null>;
  close(): Promise<void>;
}

/**
 * SQLite does not say how many rows a statement came to. So each table is hidden behind a view of the same name, whose
 * condition is a function that counts. SQLite merges such a view into the statement that reads it; that the plan is the
 * same with the views and without is checked, so what is counted is what the service runs.
 */
class SqliteCounter implements Counter {
  readonly #plain: Sqlite.Database;
  readonly #counting: Sqlite.Database;
  #visited = 0;

  constructor(path: string) {
    this.#plain = openSqliteConnection(path);
    this.#counting = openSqliteConnection(path);
    this.#counting.function("visited", { varargs: true, deterministic: false }, () => {
      this.#visited += 1;
      return 1;
    });
    const tables = this.#plain
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
      .all();
    for (const { name, sql } of tables) {
      if (name.startsWith("sqlite_")) continue;
      const columns = this.#plain.pragma(`table_info(${name})`) as { name: string; pk: number }[];
      const key = /WITHOUT ROWID/u.test(sql) ? columns.find(({ pk }) => pk === 1)?.name : "rowid";
      // Its weight of 1 tells the planner that it leaves no row out, and so changes no estimate.
      this.#counting
        .exec(`CREATE TEMP VIEW "${name}" AS SELECT ${columns.map((column) => `"${column.name}"`).join(", ")}
        FROM main."${name}" WHERE likelihood(visited("${key}"), 1.0)`);
    }
  }

  async visit({ query, values }: Step): Promise<Visit | null> {
    const { sql, places } = query.statements.sqlite;
    const bound = bind({ sql, places }, values);
    const plan = planIn(this.#plain, sql, bound);
    // A view takes no writes; PostgreSQL counts them.
    if (!this.#plain.prepare(sql).readonly) return null;
    const counted = planIn(this.#counting, sql, bound);
    // SQLite joins what `exists` asks for, but not a view: it comes to the same rows one by one.
    if (withoutNames(counted) !== withoutNames(plan) && !plan.includes(" EXISTS USING "))
      throw new Error(`Counting changes the plan of ${sql}:\n${plan}\n\n${counted}`);
    this.#visited = 0;
    const answered = this.#counting.prepare(sql).all(bound).length;
    return { visited: this.#visited, answered, plan };
  }

  async close(): Promise<void> {
    this.#plain.close();
    this.#counting.close();
  }
}

const planIn = (db: Sqlite.Database, sql: string, bound: readonly Value[]): string =>
  (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(bound) as { detail: string }[])
    .map(({ detail }) => detail)
    .join("\n");

/** A view gives a table its own name, where the statement has another one. */
const withoutNames = (plan: string): string => plan.replaceAll(/^(SEARCH|SCAN) \S+/gmu, "$1");

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

function visitedBy(node: PlanNode, isLarge: (table: string) => boolean): number {
  const table = node["Relation Name"];
  const own =
    table === undefined || node["Node Type"] === "ModifyTable" || !isLarge(table)
      ? 0
      : node["Actual Loops"] *
        (node["Actual Rows"] +
          (node["Rows Removed by Filter"] ?? 0) +
          (node["Rows Removed by Index Recheck"] ?? 0));
  return (node.Plans ?? []).reduce((sum, below) => sum + visitedBy(below, isLarge), Math.round(own));
}

const outline = (node: PlanNode, depth = 0): string =>
  [
    `${"  ".repeat(depth)}${node["Node Type"]} ${node["Relation Name"] ?? ""} ${node["Index Name"] ?? ""}: ${visitedBy({ ...node, Plans: [] }, () => true)}`,
    ...(node.Plans ?? []).map((below) => outline(below, depth + 1)),
  ].join("\n");

class PostgresCounter implements Counter {
  readonly #client: pg.Client;
  /** Planned for these values, as a statement's first five runs are, or for any values, as the later ones may be. */
  readonly #forAnyValues: boolean;
  readonly #large: ReadonlySet<string>;

  constructor(client: pg.Client, forAnyValues: boolean, large: ReadonlySet<string>) {
    this.#client = client;
    this.#forAnyValues = forAnyValues;
    this.#large = large;
  }

  async visit({ query, values }: Step): Promise<Visit | null> {
    const { sql } = query.statements.postgres;
    // What is inserted is there already.
    if (sql.startsWith("insert")) return null;
    const bound = bind(query.statements.postgres, values);
    await this.#client.query("BEGIN");
    try {
      const { rows } = this.#forAnyValues
        ? await this.#explainPrepared(sql, bound)
        : await this.#client.query<Answer>(`${explain} ${sql}`, [...bound]);
      const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
      if (plan === undefined) throw new Error(`PostgreSQL explains nothing of ${sql}`);
      const answered = Math.round(plan["Actual Rows"] * plan["Actual Loops"]);
      return { visited: visitedBy(plan, (table) => this.#large.has(table)), answered, plan: outline(plan) };
    } finally {
      await this.#client.query("ROLLBACK; DEALLOCATE ALL");
    }
  }

  async #explainPrepared(sql: string, bound: readonly Value[]): Promise<pg.QueryResult<Answer>> {
    await this.#client.query(`PREPARE counted AS ${sql}`);
    const literals = bound.map((value) =>
      value === null ? "NULL" : pg.escapeLiteral(value instanceof Uint8Array ? "" : String(value)),
    );
    const given = literals.length === 0 ? "" : `(${literals.join(", ")})`;
    return this.#client.query<Answer>(`${explain} EXECUTE counted${given}`);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

type Answer = Record<"QUERY PLAN", readonly { readonly Plan: PlanNode }[]>;
const explain = "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON)";

/** PostgreSQL reads a table of a few pages as a whole, and is right: what it does with a large one shows on a large one. */
async function largeTables(url: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND reltuples > 5000",
  );
  await client.end();
  return new Set(rows.map(({ name }) => name));
}

/** Counters of a database: one each way in which its statements may come to be planned. */
export async function countersOf(url: string): Promise<Record<string, Counter>> {
  if (url.startsWith("sqlite:")) return { planned: new SqliteCounter(url.slice("sqlite:".length)) };
  const large = await largeTables(url);
  const connected = async (mode: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query([`SET plan_cache_mode = ${mode}`, ...planSettings].join("; "));
    return client;
  };
  return {
    "planned for its values": new PostgresCounter(await connected("force_custom_plan"), false, large),
    "planned for any values": new PostgresCounter(await connected("force_generic_plan"), true, large),
  };
}
