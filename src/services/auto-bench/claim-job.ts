import type { ClaimedJob } from "../../core/auto-bench/records.ts";
import { claimed, waits, type Claim } from "../../core/auto-bench/transitions.ts";
import type { Instant } from "../../core/time.ts";
import { saveJob } from "../../store/auto-bench/auto-bench-rows.ts";
import { hasWaitingJob, installOfTarget, lockWaitingJob } from "../../store/auto-bench/claims.ts";
import type { Work, Database } from "../../store/engine/database.ts";

function* claimOne(claim: Claim, now: Instant): Work<ClaimedJob | null> {
  const waiting = yield* lockWaitingJob(now - waits.queuedMs);
  if (!waiting) return null;
  const job = { ...waiting, ...claimed(waiting, claim, now) };
  yield* saveJob(job);
  return { job, ...(yield* installOfTarget(job.targetId)) };
}

/** Gives an agent the job that has waited longest; reads first, because usually no job waits. */
export async function claimNextJob(db: Database, claim: Claim, now: Instant): Promise<ClaimedJob | null> {
  const isWaiting = await db.read(() => hasWaitingJob(now - waits.queuedMs));
  return isWaiting ? db.write(() => claimOne(claim, now)) : null;
}
