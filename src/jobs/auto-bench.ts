import { setImmediate } from "node:timers/promises";
import type { Secrets, Stores } from "../contract/call/context.ts";
import type { Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";

export interface AutoBenchDeps {
  readonly stores: Pick<Stores, "autoBenchTargets" | "autoBenchJobs">;
  readonly plans: Plans;
  readonly secrets: Pick<Secrets, "newId" | "newNonce">;
  readonly clock: () => Instant;
}

/** Looked up at once; between two of them other work gets its turn. */
const pageSize = 100;

/** Ends what time ends, then launches every target whose time has come. */
export async function tendAutoBench(deps: AutoBenchDeps): Promise<void> {
  await settleJobs(deps);
  await fireTargets(deps);
}

async function settleJobs({ stores, clock }: AutoBenchDeps): Promise<void> {
  let after = "";
  for (;;) {
    const page = await stores.autoBenchJobs.overdue(clock(), after, pageSize);
    for (const id of page) {
      await stores.autoBenchJobs.settle(id, clock());
      await setImmediate();
    }
    after = page.at(-1) ?? "";
    if (page.length < pageSize) return;
  }
}

async function fireTargets({ stores, plans, secrets, clock }: AutoBenchDeps): Promise<void> {
  for (;;) {
    const page = await stores.autoBenchTargets.due(clock(), pageSize);
    for (const targetId of page) {
      const now = clock();
      await stores.autoBenchJobs.launch({
        targetId,
        accountId: null,
        trigger: "schedule",
        limitsOf: (plan) => plans[plan],
        jobId: secrets.newId(now),
        nonce: secrets.newNonce(),
        now,
      });
      await setImmediate();
    }
    // Each of them is due later now, or never.
    if (page.length < pageSize) return;
  }
}
