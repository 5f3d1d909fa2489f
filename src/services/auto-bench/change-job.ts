import type { Instant } from "../../core/time.ts";
import { isInFlight } from "../../core/auto-bench/job.ts";
import type { CancelResult, AgentVoice } from "../../core/auto-bench/records.ts";
import { isInternal } from "../../core/auto-bench/target.ts";
import {
  type Progress,
  type Finish,
  cancelled,
  finished,
  heard,
  shouldStop,
} from "../../core/auto-bench/transitions.ts";
import { holdJob, stepJob, type Held } from "./hold-job.ts";
import { countReportsOfJob, shownJob } from "../../store/auto-bench/jobs.ts";
import { jobsInFlightOfAccount } from "../../store/auto-bench/launches.ts";
import { ownTarget } from "../../store/auto-bench/targets.ts";
import type { Work } from "../../store/engine/database.ts";

export function* cancelJob(id: string, account: string, now: Instant): Work<CancelResult> {
  const held = yield* holdJob(id, now);
  if (!held || !(yield* ownTarget(held.target.id, account))) return { kind: "not_found" };
  if (isInternal(held.target)) return { kind: "internal_target" };
  const wasInFlight = isInFlight(held.job.status);
  yield* stepJob(held, { ...held.job, ...cancelled(held.job, now) }, now);
  const job = yield* shownJob(id, now);
  if (!job) throw new Error("A job that was just held is gone.");
  return { kind: wasInFlight ? "asked" : "over", job };
}

/** Asks a suspended account's running jobs to stop; jobs on the operator's targets go on. */
export function* cancelJobsOfAccount(account: string, now: Instant): Work<void> {
  for (const id of yield* jobsInFlightOfAccount(account)) {
    const held = yield* holdJob(id, now);
    if (held && !isInternal(held.target))
      yield* stepJob(held, { ...held.job, ...cancelled(held.job, now) }, now);
  }
}

/** Locks the job that an agent reports on; null if it is not that runner's. */
function* holdJobOfRunner({ jobId, runnerId, nonce, now }: AgentVoice): Work<Held | null> {
  const held = yield* holdJob(jobId, now);
  return held?.job.runnerId === runnerId && held.job.nonce === nonce ? held : null;
}

/** `stop`: the agent must stop. Null if the job is not that runner's. */
export function* recordProgress(
  voice: AgentVoice,
  progress: Progress,
): Work<{ stop: boolean; reports: number } | null> {
  const held = yield* holdJobOfRunner(voice);
  if (!held) return null;
  const after = { ...held.job, ...heard(held.job, progress, voice.now) };
  const { job } = yield* stepJob(held, after, voice.now);
  return { stop: shouldStop(job), reports: yield* countReportsOfJob(job.id) };
}

export function* recordFinish(
  voice: AgentVoice,
  finish: Omit<Finish, "reports">,
): Work<"finished" | "refused" | null> {
  const held = yield* holdJobOfRunner(voice);
  if (!held) return null;
  const reports = yield* countReportsOfJob(held.job.id);
  const after = finished(held.job, { ...finish, reports }, voice.now);
  if (!after) return "refused";
  yield* stepJob(held, { ...held.job, ...after }, voice.now);
  return "finished";
}
