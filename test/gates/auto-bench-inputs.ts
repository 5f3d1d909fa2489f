import { launchJob } from "../../src/services/auto-bench/launch-job.ts";
import type { Account } from "../../src/core/access/account.ts";
import { newTarget } from "../endpoints/auto-bench/auto-benching.ts";
import type { Makers } from "../support/test-app.ts";
import type { Json } from "../support/payload.ts";

/** Inputs of the auto-bench endpoints that work for the owner; the job is of a target of its own. */
export async function autoBenchInputs(
  test: Makers,
  owner: Account,
  serverId: string,
): Promise<Record<string, Json>> {
  const { app } = test;
  const now = app.clock();
  const target = await newTarget(test, owner, serverId);
  const other = await newTarget(test, owner, serverId);
  const job = app.secrets.newId(now);
  await app.db.write(launchJob, {
    targetId: other.id,
    accountId: owner.id,
    trigger: "run_now",
    limitsOf: (plan) => app.plans[plan],
    jobId: job,
    nonce: app.secrets.newNonce(),
    now,
  });
  return {
    "auto_bench_targets.list": { limit: 5, enabled: true },
    "auto_bench_jobs.list": { limit: 5, target_id: other.id },
    "auto_bench_targets.run_now": { target_id: target.id },
    "auto_bench_jobs.cancel": { job_id: job },
    "auto_bench_targets.update": { target_id: other.id, name: "Same on both faces." },
  };
}

/** What an endpoint answers its owner from the second time on: a launch meets the job of the first one. */
export const usualAnswer = (id: string): string =>
  id === "auto_bench_targets.run_now" ? "already_running" : "ok";
