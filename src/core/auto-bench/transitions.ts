import type { Instant } from "../time.ts";
import { isInFlight, JobStage, type JobState } from "./job.ts";

const minuteMs = 60_000;

/** How long a job waits in each state, ms. */
export const waits = {
  /** For an agent to take it. */
  queuedMs: 30 * minuteMs,
  /** For its agent to start the first run. */
  claimedMs: 10 * minuteMs,
  /** For a sign of life of its agent; for its end once that was asked for, whatever the agent says. */
  silenceMs: 5 * minuteMs,
  /** For each run. */
  runMs: 45 * minuteMs,
} as const;

/** Over after so long; a beginning that lies as far ahead was noted by a clock that was wrong. */
const isOver = (since: Instant | null, lengthMs: number, now: Instant): boolean =>
  since !== null && Math.abs(now - since) >= lengthMs;

const ended = (job: JobState, status: JobState["status"], errorCode: string | null, now: Instant) => ({
  ...job,
  status,
  errorCode,
  finishedAt: now,
  updatedAt: now,
});

/** The job after what time alone did to it; the very same when it did nothing. */
export function settle(job: JobState, now: Instant): JobState {
  if (job.status === "queued" && isOver(job.updatedAt, waits.queuedMs, now))
    return ended(job, "timed_out", "not_claimed", now);
  if (job.status === "claimed" && isOver(job.claimedAt, waits.claimedMs, now))
    return job.requeued ? ended(job, "timed_out", "not_started", now) : requeued(job, now);
  if (job.status === "running") {
    const seen = Math.max(job.lastSeenAt ?? 0, job.startedAt ?? 0);
    if (isOver(seen, waits.silenceMs, now)) return ended(job, "timed_out", "agent_silent", now);
    if (isOver(job.startedAt, waits.runMs * job.runsTotal, now))
      return ended(job, "timed_out", "took_too_long", now);
  }
  if (job.status === "cancelling" && isOver(job.lastSeenAt, waits.silenceMs, now))
    return ended(job, "cancelled", null, now);
  return job;
}

const requeued = (job: JobState, now: Instant): JobState => ({
  ...job,
  status: "queued",
  requeued: true,
  runnerId: null,
  agentId: null,
  percent: 0,
  stage: "waiting_agent",
  runIndex: null,
  claimedAt: null,
  lastSeenAt: null,
  updatedAt: now,
});

export interface Claim {
  readonly runnerId: string;
  readonly agentId: string;
  /** A nonce of this claim alone: what an agent before had is worth nothing any more. */
  readonly nonce: string;
}

/** A queued job in the hands of an agent. */
export const claimed = (job: JobState, claim: Claim, now: Instant): JobState => ({
  ...job,
  ...claim,
  status: "claimed",
  stage: "preparing",
  claimedAt: now,
  lastSeenAt: now,
  updatedAt: now,
});

/** What an agent says of its job; what it does not know is null, and a percentage may have decimals. */
export interface Progress {
  readonly percent: number | null;
  readonly stage: JobStage | null;
  readonly runIndex: number | null;
}

const stages: readonly string[] = JobStage.options;
const isPast = (stage: JobStage, than: JobStage): boolean => stages.indexOf(stage) >= stages.indexOf(than);

const started = (job: JobState, now: Instant): JobState =>
  job.status === "claimed" ? { ...job, status: "running", startedAt: now, updatedAt: now } : job;

/** A sign of life of the agent; a job that is over stays as it is. */
export function heard(job: JobState, { percent, stage, runIndex }: Progress, now: Instant): JobState {
  if (job.status === "queued" || !isInFlight(job.status)) return job;
  const after = {
    ...job,
    percent: Math.round(percent ?? job.percent),
    stage: stage ?? job.stage,
    runIndex: runIndex === null ? job.runIndex : Math.min(runIndex, job.runsTotal),
    lastSeenAt: job.status === "cancelling" ? job.lastSeenAt : now,
    updatedAt: now,
  };
  return stage !== null && isPast(stage, "running_tests") ? started(after, now) : after;
}

/** A report with the job's nonce; null when the job takes none: nobody holds it, or it is over. */
export function reported(job: JobState, now: Instant): JobState | null {
  if (job.status === "queued" || !isInFlight(job.status)) return null;
  const after = started(job, now);
  // Agents may tell less than the reports themselves do.
  return {
    ...after,
    stage: isPast(after.stage, "running_tests") ? after.stage : "running_tests",
    updatedAt: now,
  };
}

export interface Finish {
  readonly outcome: "succeeded" | "failed" | "cancelled";
  readonly errorCode: string | null;
  /** How many reports came with the job's nonce. */
  readonly reports: number;
}

/** The error code of a job that its runner skips because players are on the server. */
export const serverBusy = "server_busy";

/** The end an agent reports; the same when it is a repeat, null when the job cannot end so. */
export function finished(
  job: JobState,
  { outcome, errorCode, reports }: Finish,
  now: Instant,
): JobState | null {
  if (job.status === outcome) return job;
  if (job.status === "queued" || !isInFlight(job.status)) return null;
  if (outcome === "cancelled")
    return job.status === "cancelling" || errorCode === serverBusy
      ? ended(job, "cancelled", errorCode, now)
      : null;
  const after = started(job, now);
  if (outcome === "failed") return ended(after, "failed", errorCode ?? "failed", now);
  if (reports < job.runsTotal) return null;
  return { ...ended(after, "succeeded", null, now), percent: 100, stage: "done" };
}

/**
 * The job after its owner asked for its end; the same when it is over, or was asked before. Its agent has a while to
 * end it; after that it is over, so that no agent keeps a job in flight by talking.
 */
export function cancelled(job: JobState, now: Instant): JobState {
  if (job.status === "queued") return { ...ended(job, "cancelled", null, now), cancelRequested: true };
  if (job.status !== "claimed" && job.status !== "running") return job;
  return { ...job, status: "cancelling", cancelRequested: true, lastSeenAt: now, updatedAt: now };
}

/** Whether the agent of such a job has to stop. */
export const shouldStop = ({ status }: JobState): boolean => status !== "claimed" && status !== "running";
