import { randomUUID } from "node:crypto";
import { call } from "../contract/call/call.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { dayMs, minuteMs, type Instant } from "../core/time.ts";
import { uploadReport } from "../endpoints/plugin/upload-report.ts";
import type { LaunchRequest, LaunchResult } from "../core/auto-bench/records.ts";
import { addRunner } from "../services/auto-bench/add-runner.ts";
import { recordFinish } from "../services/auto-bench/change-job.ts";
import { claimNextJob } from "../services/auto-bench/claim-job.ts";
import { launchJob } from "../services/auto-bench/launch-job.ts";
import { lockTarget, saveTarget } from "../store/auto-bench/auto-bench-rows.ts";
import { accountOfTarget } from "../store/auto-bench/launches.ts";
import type { Work } from "../store/engine/database.ts";
import { lockAccount } from "../store/server/locks.ts";
import { benchmarkPayload, type DemoRun } from "./benchmark.ts";
import type { DemoServer } from "./server.ts";

const takesMs = 9 * minuteMs;

/** Runs the target with the service's clock set to each night from `first` on. */
export async function runNights(
  app: AppContext,
  server: DemoServer,
  targetId: string,
  nights: readonly DemoRun["settings"][],
  first: Instant,
): Promise<void> {
  const { db, secrets } = app;
  const runnerId = secrets.newId(first);
  const runner = { id: runnerId, name: "Nights", createdAt: first, revokedAt: null, lastUsedAt: null };
  await db.write(addRunner, runner, secrets.digest(secrets.newSecret("runner")));
  for (const [index, settings] of nights.entries())
    await runNight(app, { server, targetId, runnerId }, settings, first + index * dayMs);
}

/** Makes the target due at `now`: the service's own schedule moves an overdue target to its next time. */
function* launchAtNight(request: LaunchRequest): Work<LaunchResult> {
  const owner = yield* accountOfTarget(request.targetId);
  if (owner !== null) yield* lockAccount(owner);
  const target = yield* lockTarget(request.targetId);
  if (target) yield* saveTarget({ ...target, nextRunAt: request.now });
  return yield* launchJob(request);
}

async function runNight(
  app: AppContext,
  { server, targetId, runnerId }: { server: DemoServer; targetId: string; runnerId: string },
  settings: DemoRun["settings"],
  at: Instant,
): Promise<void> {
  const { db, secrets, plans } = app;
  const launched = await db.write(launchAtNight, {
    targetId,
    accountId: null,
    trigger: "schedule",
    limitsOf: (plan) => plans[plan],
    jobId: secrets.newId(at),
    nonce: randomUUID(),
    now: at,
  });
  const claim = { runnerId, agentId: "nights", nonce: secrets.newNonce() };
  const claimed = await claimNextJob(db, claim, at);
  if (launched.kind !== "queued" || claimed?.job.id !== launched.job.id)
    throw new Error(`The job of a night was not taken: ${launched.kind}.`);
  const end = at + takesMs;
  const { spec, authToken } = server;
  const benchmarked = {
    seed: spec.profile.seed + Math.floor(at / dayMs),
    pluginVersion: spec.pluginVersion,
    tellsOutcome: true,
    software: spec.software,
  };
  const run: DemoRun = {
    host: "good",
    mode: "standard",
    settings,
    daysAgo: 0,
    description: null,
    visibility: "private",
  };
  const outcome = await call({ ...app, clock: () => end }, uploadReport, {
    credentials: { authorization: `Bearer ${authToken}`, address: "127.0.0.1" },
    input: () => ({
      ...benchmarkPayload(benchmarked, run, end),
      local_id: `auto-${claim.nonce}`,
      source: "auto_bench",
      job_nonce: claim.nonce,
    }),
    requestId: "demo",
  });
  if (!outcome.ok) throw outcome.refusal;
  const held = { jobId: launched.job.id, runnerId, nonce: claim.nonce, now: end };
  await db.write(recordFinish, held, { outcome: "succeeded", errorCode: null });
}
