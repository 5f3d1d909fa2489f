import { z } from "zod";
import { Id } from "../id.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";

export const JobTrigger = z.enum(["schedule", "run_now", "internal"]);
export type JobTrigger = z.infer<typeof JobTrigger>;

const inFlightStatuses = ["queued", "claimed", "running", "cancelling"] as const;

export const JobStatus = z.enum([...inFlightStatuses, "succeeded", "failed", "cancelled", "timed_out"]);
export type JobStatus = z.infer<typeof JobStatus>;

/** A cancelled job is in flight until its agent confirms. */
export const isInFlight = (status: JobStatus): boolean => inFlightStatuses.some((one) => one === status);

/** In order. */
export const JobStage = z.enum([
  "waiting_agent",
  "preparing",
  "starting_server",
  "running_tests",
  "uploading",
  "done",
]);
export type JobStage = z.infer<typeof JobStage>;

export const longestErrorCode = 64;

/** A job as its owner sees it, without nonce and agent. */
export const AutoBenchJob = z.object({
  id: Id,
  target_id: Id,
  server_id: Id,
  trigger: JobTrigger,
  status: JobStatus,
  progress: z.object({
    percent: z.int(),
    stage: JobStage,
    run_index: z.int().nullable(),
    runs_total: z.int(),
  }),
  report_id: Id.nullable(),
  report_ids: z.array(Id),
  cancel_requested: z.boolean(),
  error_code: thirdPartyText(longestErrorCode).nullable(),
  queued_at: Timestamp,
  claimed_at: Timestamp.nullable(),
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  updated_at: Timestamp,
});
export type AutoBenchJob = z.infer<typeof AutoBenchJob>;

/** The part of a job that transitions change. Instants are by the service's clock. */
export interface JobState {
  readonly status: JobStatus;
  readonly nonce: string;
  readonly runnerId: string | null;
  readonly agentId: string | null;
  /** A whole number, %. */
  readonly percent: number;
  readonly stage: JobStage;
  /** From 1; null before the first run. */
  readonly runIndex: number | null;
  readonly runsTotal: number;
  /** A job goes back to the queue once at most. */
  readonly requeued: boolean;
  readonly cancelRequested: boolean;
  readonly errorCode: string | null;
  readonly queuedAt: Instant;
  readonly claimedAt: Instant | null;
  readonly startedAt: Instant | null;
  /** The agent's last heartbeat or its claim; after a request to cancel, the time of that request. */
  readonly lastSeenAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly updatedAt: Instant;
}

export interface JobRecord extends JobState {
  readonly id: string;
  readonly targetId: string;
  readonly accountId: string;
  readonly serverId: string;
  readonly trigger: JobTrigger;
}

/** `reportIds`: the newest reports with nonces of the job, oldest first. */
export interface ShownJob extends JobRecord {
  readonly reportIds: readonly string[];
}

/** A job has three runs at most, and a repeated upload is one report. */
export const mostReportIds = 50;

export const queuedJob = (nonce: string, runsTotal: number, now: Instant): JobState => ({
  status: "queued",
  nonce,
  runnerId: null,
  agentId: null,
  percent: 0,
  stage: "waiting_agent",
  runIndex: null,
  runsTotal,
  requeued: false,
  cancelRequested: false,
  errorCode: null,
  queuedAt: now,
  claimedAt: null,
  startedAt: null,
  lastSeenAt: null,
  finishedAt: null,
  updatedAt: now,
});

export function toJob(job: ShownJob): AutoBenchJob {
  return {
    id: job.id,
    target_id: job.targetId,
    server_id: job.serverId,
    trigger: job.trigger,
    status: job.status,
    progress: {
      percent: job.percent,
      stage: job.stage,
      run_index: job.runIndex,
      runs_total: job.runsTotal,
    },
    report_id: job.reportIds.at(-1) ?? null,
    report_ids: [...job.reportIds],
    cancel_requested: job.cancelRequested,
    error_code: job.errorCode,
    queued_at: toTimestamp(job.queuedAt),
    claimed_at: toTimestampOrNull(job.claimedAt),
    started_at: toTimestampOrNull(job.startedAt),
    finished_at: toTimestampOrNull(job.finishedAt),
    updated_at: toTimestamp(job.updatedAt),
  };
}
