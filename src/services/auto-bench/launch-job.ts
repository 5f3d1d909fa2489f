import { planIncludes } from "../../core/access/plan.ts";
import { queuedJob, type JobRecord } from "../../core/auto-bench/job.ts";
import { latestFireMs, launchRefusal } from "../../core/auto-bench/launch.ts";
import { nextRun } from "../../core/auto-bench/schedule.ts";
import type { LaunchRequest, LaunchResult } from "../../core/auto-bench/records.ts";
import { isInternal, type TargetRecord } from "../../core/auto-bench/target.ts";
import { holdJob } from "./hold-job.ts";
import { lockTarget, saveTarget } from "../../store/auto-bench/auto-bench-rows.ts";
import {
  accountOfTarget,
  isAccountSuspended,
  insertJob,
  jobInFlightOf,
  planOfAccount,
  spentBy,
} from "../../store/auto-bench/launches.ts";
import { ownTarget } from "../../store/auto-bench/targets.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";

type Launched = Work<LaunchResult>;

/** Locks the account first, so that two launches cannot spend the same runs, then the target. */
export function* launchJob(request: LaunchRequest): Launched {
  const { targetId, accountId, trigger, now } = request;
  const owner = accountId ?? (yield* accountOfTarget(targetId));
  if (owner === null) return { kind: "not_found" };
  yield* lockAccount(owner);
  const target = yield* lockTarget(targetId);
  if (!target || !(yield* ownTarget(targetId, owner)))
    return target && trigger === "schedule" ? yield* unscheduled(target) : { kind: "not_found" };
  if (trigger === "run_now" && isInternal(target)) return { kind: "internal_target" };
  if (trigger !== "schedule") return yield* attempt(target, request);
  if (!target.enabled || target.nextRunAt === null || target.nextRunAt > now) return { kind: "not_due" };
  // The next run is the one after now, even if this one is skipped.
  const waiting = { ...target, nextRunAt: nextRun(target, now) };
  const isMissed = now - target.nextRunAt > latestFireMs;
  const isOff = isMissed || (yield* isAccountSuspended(owner));
  const result: LaunchResult = isOff ? { kind: "not_due" } : yield* attempt(waiting, request);
  if (result.kind !== "queued") {
    const current = yield* lockTarget(targetId);
    if (current) yield* saveTarget({ ...current, nextRunAt: current.enabled ? waiting.nextRunAt : null });
  }
  return result;
}

/** Ends the schedule of a target whose server now belongs to another account. */
function* unscheduled(target: TargetRecord): Launched {
  yield* saveTarget({ ...target, nextRunAt: null });
  return { kind: "not_found" };
}

function* attempt(locked: TargetRecord, request: LaunchRequest): Launched {
  const { trigger, now, limitsOf, jobId, nonce } = request;
  const limits = limitsOf(yield* planOfAccount(locked.accountId));
  const isCounted = trigger !== "internal";
  if (isCounted && !planIncludes(limits, "auto-bench")) return { kind: "plan_required" };
  const flying = yield* jobInFlightOf(locked.id);
  const held = flying === null ? null : yield* holdJob(flying, now);
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
  // The end of the previous job may have disabled the target.
  const target = held ? { ...held.target, nextRunAt: held.target.enabled ? locked.nextRunAt : null } : locked;
  const { id: targetId, accountId, serverId } = target;
  const state = queuedJob(nonce, target.runsPerJob, now);
  const job: JobRecord = { id: jobId, targetId, accountId, serverId, trigger, ...state };
  yield* insertJob(job);
  yield* saveTarget({ ...target, lastLaunchedAt: now });
  return { kind: "queued", job };
}
