import type { JobRecord } from "../../core/auto-bench/job.ts";
import { afterJob, type TargetRecord } from "../../core/auto-bench/target.ts";
import { settle } from "../../core/auto-bench/transitions.ts";
import type { Instant } from "../../core/time.ts";
import {
  benchJobById,
  lockBenchJob,
  lockTarget,
  saveJob,
  saveTarget,
} from "../../store/auto-bench/auto-bench-rows.ts";
import type { Work } from "../../store/engine/database.ts";

export interface Held {
  readonly target: TargetRecord;
  readonly job: JobRecord;
}

/** Locks a job and its target, and ends the job if it has timed out. */
export function* holdJob(id: string, now: Instant): Work<Held | null> {
  const seen = yield* benchJobById(id);
  const target = seen && (yield* lockTarget(seen.targetId));
  const job = target && (yield* lockBenchJob(id));
  if (!job) return null;
  return yield* stepJob({ target, job }, { ...job, ...settle(job, now) }, now);
}

export function* stepJob({ target, job: before }: Held, after: JobRecord, now: Instant): Work<Held> {
  if (Object.keys(after).every((key) => Object.is(Reflect.get(after, key), Reflect.get(before, key))))
    return { target, job: before };
  yield* saveJob(after);
  const isEnd = before.finishedAt === null && after.finishedAt !== null;
  const left = isEnd ? afterJob(target, after.status, now) : target;
  if (left !== target) yield* saveTarget(left);
  return { target: left, job: after };
}
