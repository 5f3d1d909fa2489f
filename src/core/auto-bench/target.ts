import { z } from "zod";
import { Id } from "../id.ts";
import { BenchmarkMode } from "../report/report.ts";
import { callerName, callerText, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { JobStatus, type JobState } from "./job.ts";

export const TargetKind = z.enum(["scheduled", "one_off", "certification"]);
export type TargetKind = z.infer<typeof TargetKind>;

export const TargetName = callerName(80);
export const TargetNotes = callerText(2000);

export const AutoBenchTarget = z.object({
  id: Id,
  name: TargetName,
  kind: TargetKind,
  internal: z.boolean(),
  server_id: Id,
  server_name: thirdPartyText(80).nullable(),
  enabled: z.boolean(),
  benchmark_mode: BenchmarkMode,
  runs_per_job: z.int(),
  schedule_cron: z.string().nullable(),
  schedule_timezone: z.literal("UTC"),
  next_run_at: Timestamp.nullable(),
  notes: TargetNotes.nullable(),
  consecutive_failures: z.int(),
  disabled_reason: z.enum(["consecutive_failures"]).nullable(),
  last_job: z
    .object({
      id: Id,
      status: JobStatus,
      finished_at: Timestamp.nullable(),
      report_id: Id.nullable(),
    })
    .nullable(),
  job_in_flight_id: Id.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type AutoBenchTarget = z.infer<typeof AutoBenchTarget>;

export interface TargetDefinition {
  readonly name: string;
  readonly enabled: boolean;
  readonly scheduleCron: string | null;
  readonly notes: string | null;
  readonly mode: AutoBenchTarget["benchmark_mode"];
  readonly runsPerJob: number;
}

export interface TargetRecord extends TargetDefinition {
  readonly id: string;
  readonly accountId: string;
  readonly serverId: string;
  readonly kind: TargetKind;
  readonly nextRunAt: Instant | null;
  readonly consecutiveFailures: number;
  readonly disabledReason: AutoBenchTarget["disabled_reason"];
  readonly lastLaunchedAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface ShownTarget extends TargetRecord {
  readonly serverName: string | null;
  readonly lastJob: {
    readonly id: string;
    readonly status: JobStatus;
    readonly finishedAt: Instant | null;
    readonly reportId: string | null;
  } | null;
  readonly jobInFlightId: string | null;
}

/** Only the operator launches, changes and stops internal targets. */
export const isInternal = ({ kind }: Pick<TargetRecord, "kind">): boolean => kind !== "scheduled";

/** A job in flight finishes as it was launched, so these fields cannot change meanwhile. */
export const runsOtherwise = (before: TargetRecord, changes: Partial<TargetDefinition>): boolean =>
  (changes.mode ?? before.mode) !== before.mode ||
  (changes.runsPerJob ?? before.runsPerJob) !== before.runsPerJob;

/** This many failed jobs in a row switch a target off. */
const mostFailures = 3;

/** Returns the same object if the end of the job changes nothing. */
export function afterJob(target: TargetRecord, status: JobState["status"], now: Instant): TargetRecord {
  if (status === "succeeded")
    return target.consecutiveFailures === 0 ? target : { ...target, consecutiveFailures: 0, updatedAt: now };
  if (status !== "failed" && status !== "timed_out") return target;
  const consecutiveFailures = target.consecutiveFailures + 1;
  const counted = { ...target, consecutiveFailures, updatedAt: now };
  if (!target.enabled || consecutiveFailures < mostFailures) return counted;
  return { ...counted, enabled: false, disabledReason: "consecutive_failures", nextRunAt: null };
}

export function toTarget(target: ShownTarget): AutoBenchTarget {
  const { lastJob } = target;
  return {
    id: target.id,
    name: target.name,
    kind: target.kind,
    internal: isInternal(target),
    server_id: target.serverId,
    server_name: target.serverName,
    enabled: target.enabled,
    benchmark_mode: target.mode,
    runs_per_job: target.runsPerJob,
    schedule_cron: target.scheduleCron,
    schedule_timezone: "UTC",
    next_run_at: toTimestampOrNull(target.nextRunAt),
    notes: target.notes,
    consecutive_failures: target.consecutiveFailures,
    disabled_reason: target.disabledReason,
    last_job: lastJob && {
      id: lastJob.id,
      status: lastJob.status,
      finished_at: toTimestampOrNull(lastJob.finishedAt),
      report_id: lastJob.reportId,
    },
    job_in_flight_id: target.jobInFlightId,
    created_at: toTimestamp(target.createdAt),
    updated_at: toTimestamp(target.updatedAt),
  };
}
