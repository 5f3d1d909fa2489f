import { regressionSince } from "../services/auto-bench/scheduled-runs.ts";
import { planIncludes } from "../core/access/plan.ts";
import { digestPeriod, dueWeek } from "../core/digest/week.ts";
import type { Instant } from "../core/time.ts";
import { nextTurn } from "../core/turns.ts";
import { readDigest } from "../services/digest/read-digest.ts";
import { sendDigest } from "../services/digest/send-digest.ts";
import { selectDueDigests, type DueDigest } from "../store/digest/digest-weeks.ts";
import type { JobDeps } from "./deps.ts";

const pageSize = 100;

/**
 * Queues the last week's digest for accounts that want it. A later run of the day tries failed ones again.
 */
export async function sendDigests(deps: JobDeps): Promise<void> {
  const { db, clock, warn, signal } = deps;
  const week = dueWeek(clock());
  if (week === null) return;
  let after = "";
  for (;;) {
    const page: DueDigest[] = await db.read(selectDueDigests, week, after, pageSize);
    for (const account of page) {
      if (signal.aborted) return;
      await sendTo(deps, account, week).catch((error: unknown) => warn("digest", error));
      await nextTurn();
    }
    after = page.at(-1)?.accountId ?? "";
    if (page.length < pageSize) return;
  }
}

async function sendTo({ db, plans, clock }: JobDeps, { accountId, plan }: DueDigest, week: Instant) {
  const [now, limits] = [clock(), plans[plan]];
  const request = {
    ...digestPeriod(week, limits.retention_days, now),
    accountId,
    limits,
    now,
    regressionSince: (server: Parameters<typeof regressionSince>[1]) => regressionSince(db, server, now),
  };
  const facts = planIncludes(limits, "monitoring") ? await readDigest(db, request) : null;
  await db.write(sendDigest, accountId, week, facts, now);
}
