import { pruneAll } from "../services/job/prune.ts";
import { sealSamples } from "../services/metric/seal-samples.ts";
import { prune } from "../store/metric/series-prune.ts";
import { sweepMs } from "../core/alert/step.ts";
import type { Job } from "../core/job/job.ts";
import { dayMs, minuteMs, secondMs, type Instant } from "../core/time.ts";
import { tendAutoBench } from "./auto-bench.ts";
import { sendDigests } from "./digest.ts";
import { judgeServers } from "./regression.ts";
import { tendHealth } from "./health/health.ts";
import type { JobDeps } from "./deps.ts";
import { countStandings } from "./standing.ts";
import { beginRecurringMaintenance } from "./maintenance.ts";
import { sweepAlerts } from "./sweep.ts";

/** The jobs that run without a caller, each in one process at a time. */
export const serviceJobs = (deps: JobDeps): Job[] => {
  const { db, plans, clock, signal } = deps;
  return [
    { name: "sweep", everyMs: sweepMs, run: () => sweepAlerts(deps) },
    { name: "maintenance", everyMs: 10 * secondMs, run: () => beginRecurringMaintenance(deps) },
    { name: "health", everyMs: minuteMs, run: (previous) => tendHealth(deps, previous) },
    { name: "auto-bench", everyMs: 10 * secondMs, run: () => tendAutoBench(deps) },
    // A job of its own, because evaluating many benchmarks takes a while and launches must not wait for that.
    { name: "regression", everyMs: 10 * secondMs, run: () => judgeServers(deps) },
    // Digests are due on Mondays only; a failed one is tried again five minutes later.
    { name: "digest", everyMs: 5 * minuteMs, run: () => sendDigests(deps) },
    { name: "standing", everyMs: 60 * minuteMs, run: () => countStandings(deps) },
    {
      name: "seal",
      everyMs: 5 * minuteMs,
      run: (previous) => onceBelieved(previous, clock(), (now) => throughout(sealSamples(db, now), signal)),
    },
    {
      name: "retention",
      everyMs: 60 * minuteMs,
      run: (previous) =>
        onceBelieved(previous, clock(), async (now) => {
          await throughout(prune(db, now, plans), signal);
          await throughout(pruneAll(db, now, plans), signal);
        }),
    },
  ];
};

/**
 * Deleted rows do not come back, so the first run after a clock jump (or days off) deletes nothing; the next
 * run deletes if its clock agrees.
 */
async function onceBelieved(
  previous: Instant | null,
  now: Instant,
  work: (now: Instant) => Promise<void>,
): Promise<void> {
  if (previous === null || Math.abs(now - previous) <= dayMs) await work(now);
}

async function throughout(steps: AsyncIterable<number>, signal: AbortSignal): Promise<void> {
  for await (const _ of steps) if (signal.aborted) return;
}
