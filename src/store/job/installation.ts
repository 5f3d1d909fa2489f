import type { Installation } from "../../core/job/installation.ts";
import { sql } from "kysely";
import { type Work, all, one } from "../engine/database.ts";
import { type Dialect, query } from "../engine/query.ts";

const schema = query<Record<string, never>>()<{ id: number; name: string }>((db) => ({
  compile: () =>
    sql<{
      id: number;
      name: string;
    }>`SELECT id, name FROM schema_migration ORDER BY id DESC LIMIT 1`.compile(db),
}));

const countAccounts = query<Record<string, never>>()((db) =>
  db.selectFrom("account").select((eb) => eb.fn.countAll<number>().as("count")),
);

const countServers = query<Record<string, never>>()((db) =>
  db
    .selectFrom("server")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "is not", null),
);

const jobs = query<Record<string, never>>()((db) =>
  db.selectFrom("job").select(["name", "last_started_at", "last_finished_at"]).orderBy("name"),
);

export function* selectInstallation(dialect: Dialect): Work<Installation> {
  const newest = yield* one(schema, {});
  const accounts = Number((yield* one(countAccounts, {}))?.count ?? 0);
  const servers = Number((yield* one(countServers, {}))?.count ?? 0);
  const runs = yield* all(jobs, {});
  return {
    database: dialect === "sqlite" ? "SQLite" : "PostgreSQL",
    schema: newest === null ? "none" : `${newest.id} (${newest.name})`,
    accounts,
    servers,
    jobs: runs.map((row) => ({
      name: row.name,
      startedAt: row.last_started_at,
      finishedAt: row.last_finished_at,
    })),
  };
}
