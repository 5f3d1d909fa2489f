import type { Database } from "../store/engine/database.ts";
import { selectDueTargets } from "../store/auto-bench/targets.ts";
import { launchJob } from "../services/auto-bench/launch-job.ts";
import { selectOverdueJobs } from "../store/auto-bench/jobs.ts";
import { holdJob } from "../services/auto-bench/hold-job.ts";
import type { Secrets } from "../app/access/secrets.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";
import { nextTurn } from "../core/turns.ts";

export interface AutoBenchDeps {
  readonly db: Database;
  readonly plans: Plans;
  readonly secrets: Pick<Secrets, "newId" | "newNonce">;
  readonly clock: () => Instant;
}

const pageSize = 100;

/** Ends jobs whose time is over, then launches a job for every target that is due. */
export async function tendAutoBench(deps: AutoBenchDeps): Promise<void> {
  await settleJobs(deps);
  await fireTargets(deps);
}

async function settleJobs({ db, clock }: AutoBenchDeps): Promise<void> {
  let after = "";
  for (;;) {
    const page = await db.read(selectOverdueJobs, clock(), after, pageSize);
    for (const id of page) {
      await db.write(holdJob, id, clock());
      await nextTurn();
    }
    after = page.at(-1) ?? "";
    if (page.length < pageSize) return;
  }
}

async function fireTargets({ db, plans, secrets, clock }: AutoBenchDeps): Promise<void> {
  for (;;) {
    const page = await db.read(selectDueTargets, clock(), pageSize);
    for (const targetId of page) {
      const now = clock();
      await db.write(launchJob, {
        targetId,
        accountId: null,
        trigger: "schedule",
        limitsOf: (plan) => plans[plan],
        jobId: secrets.newId(now),
        nonce: secrets.newNonce(),
        now,
      });
      await nextTurn();
    }
    // Each launch moved its target's next run to a later time, or to never.
    if (page.length < pageSize) return;
  }
}
