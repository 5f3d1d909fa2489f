import { sql } from "kysely";
import type { ServerToJudge } from "../../core/server/regression/judged-server.ts";
import { type Work, all, one } from "../engine/database.ts";
import { forUpdate, query, type Builder } from "../engine/query.ts";

const mostJobs = 100;

const endedJobs = (db: Builder) =>
  db.selectFrom("auto_bench_job").where("finished_at", "is not", null).where("judged_at", "is", null);

const serversOf = query<{ after: string; limit: number }>()((db, $) =>
  endedJobs(db)
    .select("server_id")
    .distinct()
    .where("server_id", ">", $.after)
    .where(
      sql<boolean>`exists (select 1 from server as s where s.id = server_id and s.account_id is not null)`,
    )
    .orderBy("server_id")
    .limit($.limit),
);

const jobsOf = query<{ server: string }>()((db, $) =>
  endedJobs(db).select("id").where("server_id", "=", $.server).limit(sql.lit(mostJobs)),
);

const findServer = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("server")
    .select(["id", "account_id", "name", "verified_at"])
    .where("id", "=", $.id)
    .where("account_id", "is not", null)
    .$narrowType<{ account_id: string }>(),
);

export const lockJudgedServer = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("server").select(["account_id", "verified_at", "regression_since"]).where("id", "=", $.id),
  ),
);

export const markJudged = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("auto_bench_job")
    .set({ judged_at: $.now })
    .where("id", "=", $.id)
    .where("judged_at", "is", null),
);

/** When the owner was last notified of a regression; only a later regression is notified again. */
export const setRegressionSince = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("server").set({ regression_since: $.now }).where("id", "=", $.id),
);

export function* toJudge(id: string): Work<ServerToJudge | null> {
  const server = yield* one(findServer, { id });
  const jobIds = (yield* all(jobsOf, { server: id })).map((job) => job.id);
  if (!server || jobIds.length === 0) return null;
  const { account_id: accountId, name, verified_at } = server;
  return { id, accountId, name, isVerified: verified_at !== null, jobIds };
}

/** Servers with a job that ended since they were judged, by id, starting after the id `after`. */
export function* selectUnjudgedServers(after: string, limit: number): Work<string[]> {
  return (yield* all(serversOf, { after, limit })).map(({ server_id }) => server_id);
}
