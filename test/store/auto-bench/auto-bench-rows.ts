import type { Database } from "../../../src/store/engine/database.ts";
import { insertTarget } from "../../../src/store/auto-bench/targets.ts";
import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { defaultPlans, type PlanName } from "../../../src/core/access/plan.ts";
import type { JobTrigger } from "../../../src/core/auto-bench/job.ts";
import type { LaunchRequest } from "../../../src/core/auto-bench/records.ts";
import type { TargetRecord } from "../../../src/core/auto-bench/target.ts";
import { targetOf } from "../../support/auto-bench-target.ts";
import { newAccount, newDigest, newId, newServer, noon } from "../engine/rows.ts";

/** A target of a server of its own, or of `changes`. */
export async function newTarget(
  db: Database,
  changes: Partial<TargetRecord> = {},
  offerId?: string,
): Promise<TargetRecord> {
  const made = changes.accountId === undefined ? await newAccount(db) : null;
  const accountId = changes.accountId ?? made?.id ?? "";
  const serverId = changes.serverId ?? (made ? (await newServer(db, made)).server.id : "");
  const target = targetOf({ id: newId(), accountId, serverId }, noon, changes);
  await db.write(insertTarget, target, offerId);
  return target;
}

export const launchOf = (
  target: TargetRecord,
  now = noon,
  trigger: JobTrigger = "run_now",
): LaunchRequest => ({
  targetId: target.id,
  accountId: trigger === "schedule" ? null : target.accountId,
  trigger,
  limitsOf: (plan: PlanName) => defaultPlans[plan],
  jobId: newId(),
  nonce: newDigest(),
  now,
});

/** Launches it and answers the job. */
export async function launched(
  db: Database,
  target: TargetRecord,
  now = noon,
  trigger: JobTrigger = "run_now",
) {
  const result = await db.write(launchJob, launchOf(target, now, trigger));
  if (result.kind !== "queued") throw new Error(`Not launched: ${result.kind}.`);
  return result.job;
}
