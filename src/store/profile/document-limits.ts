import type { PlanName } from "../../core/access/plan.ts";
import { type Work, all, one } from "../engine/database.ts";
import { lockServer } from "../server/locks.ts";
import { query, type Query } from "../engine/query.ts";
import { keptPlanOf } from "../metric/series-servers.ts";

/** Documents deleted in one transaction; each may have some megabytes. */
export const documentsAtATime = 10;

type Table = "profile_document" | "memory_report";

interface Limited {
  readonly count: Query<{ server: string }, { rows: number }>;
  readonly deleteOldest: Query<{ server: string; rows: number }, { id: string }>;
}

const limited = (table: Table): Limited => ({
  count: query<{ server: string }>()((db, $) =>
    db
      .selectFrom(table)
      .select((of) => of.fn.countAll<number>().as("rows"))
      .where("server_id", "=", $.server),
  ),
  deleteOldest: query<{ server: string; rows: number }>()((db, $) =>
    db
      .deleteFrom(table)
      .where("id", "in", (of) =>
        of
          .selectFrom(table)
          .select("id")
          .where("server_id", "=", $.server)
          .orderBy("uploaded_at")
          .orderBy("id")
          .limit($.rows),
      )
      .returning("id"),
  ),
});

const tables: Record<Table, Limited> = {
  profile_document: limited("profile_document"),
  memory_report: limited("memory_report"),
};

const planOfServer = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .select(["a.plan", "a.kept_plan", "a.kept_plan_until"])
    .where("s.id", "=", $.server),
);

/** The plan that limits how many uploads a server keeps. */
export function* keptPlanOfServer(server: string, now: number): Work<PlanName> {
  const row = yield* one(planOfServer, { server });
  return row ? keptPlanOf(row, now) : "free";
}

/**
 * Deletes the oldest uploads beyond `most`, `documentsAtATime` at most, and returns their ids. Locks the
 * server, so that concurrent uploads are all counted.
 */
export function* dropBeyond(table: Table, server: string, most: number): Work<string[]> {
  const { count, deleteOldest } = tables[table];
  yield* lockServer(server);
  const beyond = ((yield* one(count, { server }))?.rows ?? 0) - most;
  if (beyond <= 0) return [];
  const gone = yield* all(deleteOldest, { server, rows: Math.min(beyond, documentsAtATime) });
  return gone.map(({ id }) => id);
}
