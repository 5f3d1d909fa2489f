import { sql } from "kysely";
import { PlanName } from "../../core/access/plan.ts";
import type { JobRecord } from "../../core/auto-bench/job.ts";
import { quotaWindowMs, type Spent } from "../../core/auto-bench/launch.ts";
import { clockToleranceMs } from "../../core/metric/clock.ts";
import { autoBenchJobTable, type JobRow } from "./tables.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";

const accountOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("auto_bench_target").select("account_id").where("id", "=", $.id),
);

const planOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("account").select(["plan", "role"]).where("id", "=", $.account),
);

const findTargets = query<{ server: string }>()((db, $) =>
  db.selectFrom("auto_bench_target").select("id").where("server_id", "=", $.server).orderBy("id"),
);

const inFlight = query<{ target: string }>()((db, $) =>
  db
    .selectFrom("auto_bench_job")
    .select("id")
    .where("target_id", "=", $.target)
    .where("finished_at", "is", null),
);

const inFlightOfAccount = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("auto_bench_job")
    .select("id")
    .where("account_id", "=", $.account)
    .where("finished_at", "is", null)
    .orderBy("id"),
);

/** Failed runs count. Jobs that ended before an agent took them, and the operator's own, do not. */
const spent = query<{ account: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("auto_bench_job")
    .select(["queued_at as at", "runs_total as runs"])
    .where("account_id", "=", $.account)
    .where("queued_at", ">", $.from)
    .where("queued_at", "<=", $.to)
    .where("launched_by", "<>", "internal")
    .where(sql<boolean>`(finished_at is null or claimed_at is not null or requeued = 1)`)
    .orderBy("queued_at")
    .orderBy("id"),
);

const insert = query<JobRow>()((db, $) =>
  db.insertInto("auto_bench_job").values(placesOf(autoBenchJobTable.own, $)),
);

export function* accountOfTarget(id: string): Work<string | null> {
  return (yield* one(accountOf, { id }))?.account_id ?? null;
}

export function* planOfAccount(account: string): Work<PlanName> {
  return PlanName.parse((yield* one(planOf, { account }))?.plan);
}

export function* isAccountSuspended(account: string): Work<boolean> {
  return (yield* one(planOf, { account }))?.role === "suspended";
}

export function* targetsOfServer(server: string): Work<string[]> {
  return (yield* all(findTargets, { server })).map(({ id }) => id);
}

export function* jobInFlightOf(target: string): Work<string | null> {
  return (yield* one(inFlight, { target }))?.id ?? null;
}

export function* jobsInFlightOfAccount(account: string): Work<string[]> {
  return (yield* all(inFlightOfAccount, { account })).map(({ id }) => id);
}

/** Runs that the account's jobs took from its quota in the last 24 hours. */
export function* spentBy(account: string, now: number): Work<Spent[]> {
  return yield* all(spent, { account, from: now - quotaWindowMs, to: now + clockToleranceMs });
}

export function* insertJob(job: JobRecord): Work<void> {
  yield* run(insert, autoBenchJobTable.toRow(job));
}
