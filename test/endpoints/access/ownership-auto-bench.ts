import { launchJob } from "../../../src/services/auto-bench/launch-job.ts";
import { newTarget } from "../auto-bench/auto-benching.ts";
import type { TestService } from "../../support/service.ts";
import type { Account } from "../../../src/core/access/account.ts";

/** A target of an account, and a job of it that waits. */
export interface AutoBenchThings {
  readonly target: string;
  readonly job: string;
}

export async function autoBenchOf(
  { app }: TestService,
  owner: Account,
  serverId: string,
): Promise<AutoBenchThings> {
  const now = app.clock();
  const { id: target } = await newTarget({ app }, owner, serverId);
  const waiting = await newTarget({ app }, owner, serverId);
  const job = app.secrets.newId(now);
  await app.db.write(launchJob, {
    targetId: waiting.id,
    accountId: owner.id,
    trigger: "run_now",
    limitsOf: (plan) => app.plans[plan],
    jobId: job,
    nonce: app.secrets.newNonce(),
    now,
  });
  return { target, job };
}

const roles = (user: string, admin = user) => ({ user, admin, suspended: "403 403 403" });

/** The routes about targets and jobs, which are their owner's alone. A second launch meets the first one's job. */
export const autoBenchCells = [
  {
    route: "auto_bench_targets.list",
    ask: (): [string] => ["/auto-bench/targets"],
    ...roles("200 200 200"),
  },
  {
    route: "auto_bench_jobs.list",
    ask: ({ target }: AutoBenchThings): [string] => [`/auto-bench/jobs?target_id=${target}`],
    ...roles("200 200 200"),
  },
  {
    route: "auto_bench_targets.run_now",
    ask: ({ target }: AutoBenchThings): [string, unknown] => [`/auto-bench/targets/${target}/run-now`, {}],
    ...roles("202 404 404"),
  },
  {
    route: "auto_bench_jobs.cancel",
    ask: ({ job }: AutoBenchThings): [string, unknown] => [`/auto-bench/jobs/${job}/cancel`, {}],
    ...roles("200 404 404"),
  },
  {
    route: "auto_bench_targets.update",
    ask: ({ target }: AutoBenchThings): [string, unknown] => [`/auto-bench/targets/${target}`, { name: "A" }],
    ...roles("200 404 404"),
  },
];
