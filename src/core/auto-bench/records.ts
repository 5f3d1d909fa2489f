import type { PlanLimits, PlanName } from "../access/plan.ts";
import type { Instant } from "../time.ts";
import type { JobRecord, JobStatus, JobTrigger, ShownJob } from "./job.ts";
import type { LaunchRefusal } from "./launch.ts";
import type { ShownTarget, TargetRecord } from "./target.ts";

export interface TargetFilter {
  readonly enabled: boolean | null;
  readonly includeInternal: boolean;
}

export interface JobFilter {
  readonly status: JobStatus | null;
  readonly targetId: string | null;
}

export interface LaunchRequest {
  readonly targetId: string;
  /** Owner of the target; null for any owner, as for the schedule and the operator. */
  readonly accountId: string | null;
  readonly trigger: JobTrigger;
  readonly limitsOf: (plan: PlanName) => PlanLimits;
  readonly jobId: string;
  readonly nonce: string;
  readonly now: Instant;
}

export type LaunchResult =
  | { readonly kind: "queued"; readonly job: JobRecord }
  | { readonly kind: "not_found" | "internal_target" | "plan_required" | "not_due" }
  | LaunchRefusal;

export type ChangeResult =
  | { readonly kind: "changed"; readonly target: ShownTarget }
  | { readonly kind: "not_found" | "internal_target" }
  | { readonly kind: "already_running"; readonly jobId: string };

export type RemoveResult =
  | { readonly kind: "removed" | "not_found" | "internal_target" }
  | { readonly kind: "already_running"; readonly jobId: string };

export type CancelResult =
  | { readonly kind: "not_found" | "internal_target" }
  | { readonly kind: "asked" | "over"; readonly job: ShownJob };

export interface ClaimedJob {
  readonly job: JobRecord;
  readonly address: string | null;
  readonly port: number | null;
  readonly mode: TargetRecord["mode"];
}

/** Identifies the job, the runner and its claim. */
export interface AgentVoice {
  readonly jobId: string;
  readonly runnerId: string;
  readonly nonce: string;
  readonly now: Instant;
}

export interface RunnerRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}
