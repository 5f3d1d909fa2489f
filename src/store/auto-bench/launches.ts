import { sql } from "kysely";
import { PlanName } from "../../core/access/plan.ts";
import type { JobRecord } from "../../core/auto-bench/job.ts";
import { quotaWindowMs, type Spent } from "../../core/auto-bench/launch.ts";
import { clockToleranceMs } from "../../core/metric/clock.ts";
import { jobRowOf, type JobRow } from "./auto-bench-rows.ts";
import { all, one, run, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";

const accountOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("auto_bench_target").select("account_id").where("id", "=", $.id),
);

const planOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("account").select("plan").where("id", "=", $.account),
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

/** Failed runs count; what ended before any agent took it, and the operator's own, do not. */
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
  db.insertInto("auto_bench_job").values({
    id: $.id,
    target_id: $.target_id,
    account_id: $.account_id,
    server_id: $.server_id,
    launched_by: $.launched_by,
    status: $.status,
    nonce: $.nonce,
    runner_id: $.runner_id,
    agent_id: $.agent_id,
    percent: $.percent,
    stage: $.stage,
    run_index: $.run_index,
    runs_total: $.runs_total,
    requeued: $.requeued,
    cancel_requested: $.cancel_requested,
    error_code: $.error_code,
    queued_at: $.queued_at,
    claimed_at: $.claimed_at,
    started_at: $.started_at,
    last_seen_at: $.last_seen_at,
    finished_at: $.finished_at,
    updated_at: $.updated_at,
  }),
);

export function* accountOfTarget(id: string): Generator<Step, string | null, Result> {
  return (yield* one(accountOf, { id }))?.account_id ?? null;
}

export function* planOfAccount(account: string): Generator<Step, PlanName, Result> {
  return PlanName.parse((yield* one(planOf, { account }))?.plan);
}

/** The ids of a server's targets. */
export function* targetsOfServer(server: string): Generator<Step, string[], Result> {
  return (yield* all(findTargets, { server })).map(({ id }) => id);
}

/** The target's job that has not ended; null when there is none. */
export function* jobInFlightOf(target: string): Generator<Step, string | null, Result> {
  return (yield* one(inFlight, { target }))?.id ?? null;
}

/** The runs of the account's quota that its jobs took in the day that ends now. */
export function* spentBy(account: string, now: number): Generator<Step, Spent[], Result> {
  return yield* all(spent, { account, from: now - quotaWindowMs, to: now + clockToleranceMs });
}

export function* insertJob(job: JobRecord): Generator<Step, void, Result> {
  yield* run(insert, jobRowOf(job));
}
