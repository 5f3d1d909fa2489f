import { insertTarget } from "../store/auto-bench/targets.ts";
import { launchJob } from "../services/auto-bench/launch-job.ts";
import { changeReport } from "../services/report/change-report.ts";
import { randomUUID } from "node:crypto";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Instant } from "../core/time.ts";
import { runnerClient } from "../outbound/runner-client.ts";
import type { DemoAccount } from "./accounts.ts";
import { freshTarget, makeRunner, uploadRun } from "./auto-bench.ts";
import { measuredOffer } from "./catalogue.ts";
import type { DemoServer } from "./server.ts";

interface DemoService {
  readonly baseUrl: string;
  readonly app: AppContext;
}

/** Makes the operator's target that measures an offer, and returns its id. */
async function measuringTarget(
  { db, secrets }: AppContext,
  accountId: string,
  serverId: string,
  now: Instant,
): Promise<string> {
  const id = secrets.newId(now);
  const target = {
    accountId,
    serverId,
    kind: "one_off",
    name: "An offer, measured",
    runsPerJob: 1,
    scheduleCron: null,
    nextRunAt: null,
    notes: null,
  } as const;
  await db.write(insertTarget, freshTarget(target, id, now), measuredOffer);
  return id;
}

/** Measures one offer as the operator does: a runner takes the job, and its report is published. */
export async function fillOfferMetrics(
  { baseUrl, app }: DemoService,
  accounts: readonly DemoAccount[],
  servers: readonly DemoServer[],
  now: Instant,
): Promise<void> {
  const { db, secrets, plans } = app;
  const operator = accounts.find(({ name }) => name === "admin")?.account;
  const server = servers.find(({ spec }) => spec.account === "admin");
  if (!operator || !server) throw new Error("The demo has no operator with a server.");
  const launched = await db.write(launchJob, {
    targetId: await measuringTarget(app, operator.id, server.id, now),
    accountId: null,
    trigger: "internal",
    limitsOf: (plan) => plans[plan],
    jobId: secrets.newId(now),
    nonce: randomUUID(),
    now,
  });
  const runner = runnerClient(baseUrl, await makeRunner(app, "Operator", now));
  const job = await runner.claim("operator");
  if (launched.kind !== "queued" || job?.id !== launched.job.id)
    throw new Error(`The operator's job was not taken: ${launched.kind}.`);
  const report = await uploadRun(server, job, 1, 1, now);
  await runner.finish(job, "succeeded", null);
  await db.write(changeReport, report, { visibility: "public" });
}
