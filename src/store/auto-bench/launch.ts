import { sql } from "kysely";
import { planIncludes, PlanName } from "../../core/access/plan.ts";
import { queuedJob, type JobRecord } from "../../core/auto-bench/job.ts";
import { latestFireMs, launchRefusal, quotaWindowMs, type Spent } from "../../core/auto-bench/launch.ts";
import { nextRun } from "../../core/auto-bench/schedule.ts";
import type { LaunchRequest, LaunchResult } from "../../core/auto-bench/store.ts";
import { isInternal, type TargetRecord } from "../../core/auto-bench/target.ts";
import { clockToleranceMs } from "../../core/metric/clock.ts";
import { holdJob, lockTarget, saveTarget } from "./auto-bench-rows.ts";
import { autoBenchJobTable, type JobRow } from "./tables.ts";
import { ownTarget } from "./targets.ts";
import { all, one, run, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";

const accountOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("auto_bench_target").select("account_id").where("id", "=", $.id),
);

const planOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("account").select("plan").where("id", "=", $.account),
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
  db.insertInto("auto_bench_job").values(placesOf(autoBenchJobTable.own, $)),
);

/** What the account's jobs took of its quota in the day that ends now. */
export function* spentBy(account: string, now: number): Launching<Spent[]> {
  return yield* all(spent, { account, from: now - quotaWindowMs, to: now + clockToleranceMs });
}

type Launching<T> = Generator<Step, T, Result>;

/**
 * The account is locked first, so that no two launches of it count the same runs as left; then the target, so
 * that it has one job in flight.
 */
export function* launchJob(request: LaunchRequest): Launching<LaunchResult> {
  const { targetId, accountId, trigger, now } = request;
  const owner = accountId ?? (yield* one(accountOf, { id: targetId }))?.account_id;
  if (owner === undefined) return { kind: "not_found" };
  yield* lockAccount(owner);
  const target = yield* lockTarget(targetId);
  if (!target || !(yield* ownTarget(targetId, owner)))
    return target && trigger === "schedule" ? yield* unscheduled(target) : { kind: "not_found" };
  if (trigger === "run_now" && isInternal(target)) return { kind: "internal_target" };
  if (trigger !== "schedule") return yield* attempt(target, request);
  if (!target.enabled || target.nextRunAt === null || target.nextRunAt > now) return { kind: "not_due" };
  // Skipped or not, the next fire is the one after now.
  const waiting = { ...target, nextRunAt: nextRun(target, now) };
  const isMissed = now - target.nextRunAt > latestFireMs;
  const result: LaunchResult = isMissed ? { kind: "not_due" } : yield* attempt(waiting, request);
  if (result.kind !== "queued") {
    const current = yield* lockTarget(targetId);
    if (current) yield* saveTarget({ ...current, nextRunAt: current.enabled ? waiting.nextRunAt : null });
  }
  return result;
}

/** Its server is another account's now: nothing fires any more. */
function* unscheduled(target: TargetRecord): Launching<LaunchResult> {
  yield* saveTarget({ ...target, nextRunAt: null });
  return { kind: "not_found" };
}

function* attempt(locked: TargetRecord, request: LaunchRequest): Launching<LaunchResult> {
  const { trigger, now, limitsOf, jobId, nonce } = request;
  const limits = limitsOf(PlanName.parse((yield* one(planOf, { account: locked.accountId }))?.plan));
  const isCounted = trigger !== "internal";
  if (isCounted && !planIncludes(limits, "auto-bench")) return { kind: "plan_required" };
  const flying = yield* one(inFlight, { target: locked.id });
  const held = flying && (yield* holdJob(flying.id, now));
  const refusal = launchRefusal(
    {
      runsPerJob: locked.runsPerJob,
      lastLaunchedAt: locked.lastLaunchedAt,
      inFlightId: held && held.job.finishedAt === null ? held.job.id : null,
      limit: isCounted ? limits.runs_per_day : Number.MAX_SAFE_INTEGER,
      spent: isCounted ? yield* spentBy(locked.accountId, now) : [],
    },
    now,
  );
  if (refusal) return refusal;
  if (trigger === "schedule" && held && !held.target.enabled) return { kind: "not_due" };
  // The end of the job before may have switched the target off.
  const target = held ? { ...held.target, nextRunAt: held.target.enabled ? locked.nextRunAt : null } : locked;
  const { id: targetId, accountId, serverId } = target;
  const state = queuedJob(nonce, target.runsPerJob, now);
  const job: JobRecord = { id: jobId, targetId, accountId, serverId, trigger, ...state };
  yield* run(insert, autoBenchJobTable.toRow(job));
  yield* saveTarget({ ...target, lastLaunchedAt: now });
  return { kind: "queued", job };
}
