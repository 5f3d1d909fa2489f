import type { PlanLimits, PlanName } from "../access/plan.ts";
import type { TimePosition } from "../position.ts";
import type { Act } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";
import type { JobRecord, JobStatus, JobTrigger, ShownJob } from "./job.ts";
import type { LaunchRefusal } from "./launch.ts";
import type { ShownTarget, TargetDefinition, TargetRecord } from "./target.ts";
import type { Claim, Finish, Progress } from "./transitions.ts";

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
  /** Whose target it has to be; null for whoever's, as the schedule and the operator ask. */
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

/** What an agent is given of the job it took. */
export interface ClaimedJob {
  readonly job: JobRecord;
  readonly address: string | null;
  readonly port: number | null;
  readonly mode: TargetRecord["mode"];
}

/** Who speaks of which job. */
export interface AgentVoice {
  readonly jobId: string;
  readonly runnerId: string;
  readonly nonce: string;
  readonly now: Instant;
}

export interface TargetStore {
  /** Made in the dashboard by its server's owner, or by the operator, who may measure an offer with it. */
  create(target: TargetRecord, offerId?: string): Promise<void>;
  list(
    accountId: string,
    filter: TargetFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<ShownTarget[]>;
  /**
   * `changed` is asked inside the change's own transaction, and may refuse by throwing. How its jobs run is not
   * changed while one is in flight.
   */
  change(
    id: string,
    accountId: string,
    now: Instant,
    changed: (before: TargetRecord) => Partial<TargetDefinition>,
  ): Promise<ChangeResult>;
  /** It is gone for its owner, and fires no more; what its jobs took of the quota stays taken. */
  remove(id: string, accountId: string, now: Instant): Promise<RemoveResult>;
  /** Targets whose time has come, the longest due first. */
  due(now: Instant, limit: number): Promise<string[]>;
}

export interface AutoBenchJobStore {
  /** Queues a job, or says why not; by schedule also sets when the target runs next. */
  launch(request: LaunchRequest): Promise<LaunchResult>;
  list(
    accountId: string,
    filter: JobFilter,
    after: TimePosition | null,
    limit: number,
    now: Instant,
  ): Promise<ShownJob[]>;
  cancel(id: string, accountId: string, now: Instant): Promise<CancelResult>;
  /** Runs the account's jobs took in the last 24 hours. */
  spentRuns(accountId: string, now: Instant): Promise<number>;
  /** The job that waits longest, for this claim alone whatever number of processes asks; null when none waits. */
  claim(claim: Claim, now: Instant): Promise<ClaimedJob | null>;
  /** Null when the job is not this runner's. */
  heartbeat(voice: AgentVoice, progress: Progress): Promise<{ stop: boolean; reports: number } | null>;
  /** Null when the job is not this runner's; `refused` when it cannot end so. */
  finish(voice: AgentVoice, finish: Omit<Finish, "reports">): Promise<"finished" | "refused" | null>;
  /** Jobs that time may have done something to, by id from behind `after`, at most so many. */
  overdue(now: Instant, after: string, limit: number): Promise<string[]>;
  /** Lets time do to a job what it has to. */
  settle(id: string, now: Instant): Promise<void>;
}

export interface RunnerRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

export interface RunnerStore {
  /** An act that is told is written into the service's log, here and where one is revoked. */
  create(runner: RunnerRecord, digest: string, act?: Act): Promise<void>;
  /** Oldest first. */
  list(): Promise<RunnerRecord[]>;
  present(digest: string): Promise<RunnerRecord | null>;
  markUsed(id: string, now: Instant): Promise<void>;
  /** False when there is no such runner, or it was revoked before. */
  revoke(id: string, now: Instant, act?: Act): Promise<boolean>;
}
