import type { ChangeResult, RemoveResult } from "../../core/auto-bench/records.ts";
import { nextRun } from "../../core/auto-bench/schedule.ts";
import {
  isInternal,
  runsOtherwise,
  type ShownTarget,
  type TargetDefinition,
  type TargetRecord,
} from "../../core/auto-bench/target.ts";
import type { Instant } from "../../core/time.ts";
import { holdJob, type Held } from "./hold-job.ts";
import { lockTarget, saveTarget } from "../../store/auto-bench/auto-bench-rows.ts";
import { dropTarget, ownTarget } from "../../store/auto-bench/targets.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Locks the target's job in progress; a timed-out job is ended first. */
function* heldJob({ jobInFlightId }: ShownTarget, now: Instant): Work<Held | null> {
  return jobInFlightId === null ? null : yield* holdJob(jobInFlightId, now);
}

/** Returns the same object if nothing changes. */
function changedBy(before: TargetRecord, request: Partial<TargetDefinition>, now: Instant): TargetRecord {
  const after = { ...before, ...request };
  const cleared = request.enabled === true ? { consecutiveFailures: 0, disabledReason: null } : {};
  const moved = after.enabled !== before.enabled || after.scheduleCron !== before.scheduleCron;
  const whole = { ...after, ...cleared, nextRunAt: moved ? nextRun(after, now) : before.nextRunAt };
  const isSame = Object.keys(whole).every((key) => Reflect.get(whole, key) === Reflect.get(before, key));
  return isSame ? before : { ...whole, updatedAt: Math.max(now, before.updatedAt + 1) };
}

/** While a job is in progress, a change of how jobs run is refused. */
export function* changeTarget(
  id: string,
  account: string,
  now: Instant,
  decide: (before: TargetRecord) => Partial<TargetDefinition>,
): Work<ChangeResult> {
  const locked = yield* lockTarget(id);
  const seen = locked && (yield* ownTarget(id, account));
  if (!seen) return { kind: "not_found" };
  if (isInternal(locked)) return { kind: "internal_target" };
  const request = decide(locked);
  const held = runsOtherwise(locked, request) ? yield* heldJob(seen, now) : null;
  if (held && held.job.finishedAt === null) return { kind: "already_running", jobId: held.job.id };
  const before = held?.target ?? locked;
  const after = changedBy(before, request, now);
  if (after !== before) yield* saveTarget(after);
  return { kind: "changed", target: { ...seen, ...after } };
}

/** The target's jobs stay, and count in the quota. */
export function* removeTarget(id: string, account: string, now: Instant): Work<RemoveResult> {
  const locked = yield* lockTarget(id);
  const seen = locked && (yield* ownTarget(id, account));
  if (!seen) return { kind: "not_found" };
  if (isInternal(locked)) return { kind: "internal_target" };
  const held = yield* heldJob(seen, now);
  if (held && held.job.finishedAt === null) return { kind: "already_running", jobId: held.job.id };
  yield* run(dropTarget, { id, now });
  return { kind: "removed" };
}
