import type { Instant } from "../time.ts";
import { isInFlight, JobStage, type JobState } from "./job.ts";

const minuteMs = 60_000;

/** Time limits, ms. */
export const waits = {
  /** For an agent to claim the job. */
  queuedMs: 30 * minuteMs,
  /** For the agent to start the first run. */
  claimedMs: 10 * minuteMs,
  /** For a heartbeat of the agent; after a request to cancel, for the end of the job. */
  silenceMs: 5 * minuteMs,
  runMs: 45 * minuteMs,
} as const;

/** An instant that far in the future was noted by a wrong clock, and counts as over. */
const isOver = (since: Instant | null, lengthMs: number, now: Instant): boolean =>
  since !== null && Math.abs(now - since) >= lengthMs;

const ended = (job: JobState, status: JobState["status"], errorCode: string | null, now: Instant) => ({
  ...job,
  status,
  errorCode,
  finishedAt: now,
  updatedAt: now,
});

/** Applies time limits; returns the same object if none has passed. */
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
  /** New for each claim: the nonce of an earlier claim is invalid. */
  readonly nonce: string;
}

export const claimed = (job: JobState, claim: Claim, now: Instant): JobState => ({
  ...job,
  ...claim,
  status: "claimed",
  stage: "preparing",
  claimedAt: now,
  lastSeenAt: now,
  updatedAt: now,
});

/** Null for a value that the agent does not know; a percentage may have decimals. */
export interface Progress {
  readonly percent: number | null;
  readonly stage: JobStage | null;
  readonly runIndex: number | null;
}

const stages: readonly string[] = JobStage.options;
const isPast = (stage: JobStage, than: JobStage): boolean => stages.indexOf(stage) >= stages.indexOf(than);

const started = (job: JobState, now: Instant): JobState =>
  job.status === "claimed" ? { ...job, status: "running", startedAt: now, updatedAt: now } : job;

/** Takes in a heartbeat; a job that is over stays as it is. */
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

/** Takes in a report with the job's nonce; null if no agent holds the job or it is over. */
export function reported(job: JobState, now: Instant): JobState | null {
  if (job.status === "queued" || !isInFlight(job.status)) return null;
  const after = started(job, now);
  // Reports prove more than an agent's heartbeats may say.
  return {
    ...after,
    stage: isPast(after.stage, "running_tests") ? after.stage : "running_tests",
    updatedAt: now,
  };
}

export interface Finish {
  readonly outcome: "succeeded" | "failed" | "cancelled";
  readonly errorCode: string | null;
  /** Reports with the job's nonce. */
  readonly reports: number;
}

/** Error codes of a job that was skipped: players are on the server, or other programs used its machine. */
export const skippedBecause = ["server_busy", "machine_busy"] as const;
export type SkippedBecause = (typeof skippedBecause)[number];

const isSkipped = (errorCode: string | null): boolean => skippedBecause.some((code) => code === errorCode);

/** The end that an agent reports; the same object if repeated, null if the job cannot end so. */
export function finished(
  job: JobState,
  { outcome, errorCode, reports }: Finish,
  now: Instant,
): JobState | null {
  if (job.status === outcome) return job;
  if (job.status === "queued" || !isInFlight(job.status)) return null;
  if (outcome === "cancelled")
    return job.status === "cancelling" || isSkipped(errorCode)
      ? ended(job, "cancelled", errorCode, now)
      : null;
  const after = started(job, now);
  if (outcome === "failed") return ended(after, "failed", errorCode ?? "failed", now);
  if (reports < job.runsTotal) return null;
  return { ...ended(after, "succeeded", null, now), percent: 100, stage: "done" };
}

/**
 * The owner's request to cancel; the same object if the job is over or was cancelled before. After
 * `silenceMs` the job is over, so that no agent keeps it in flight with heartbeats.
 */
export function cancelled(job: JobState, now: Instant): JobState {
  if (job.status === "queued") return { ...ended(job, "cancelled", null, now), cancelRequested: true };
  if (job.status !== "claimed" && job.status !== "running") return job;
  return { ...job, status: "cancelling", cancelRequested: true, lastSeenAt: now, updatedAt: now };
}

export const shouldStop = ({ status }: JobState): boolean => status !== "claimed" && status !== "running";
