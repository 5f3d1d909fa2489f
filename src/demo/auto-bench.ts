import { insertTarget } from "../store/auto-bench/targets.ts";
import { addRunner } from "../services/auto-bench/add-runner.ts";
import { setTimeout as rest } from "node:timers/promises";
import type { AppContext } from "../contract/call/app-context.ts";
import { planIncludes } from "../core/access/plan.ts";
import { nextRun } from "../core/auto-bench/schedule.ts";
import type { TargetRecord } from "../core/auto-bench/target.ts";
import { dayMs, toTimestamp, type Instant } from "../core/time.ts";
import { runnerClient, type RunnerJob } from "../outbound/runner-client.ts";
import { runJobs, type RunCommand } from "../outbound/runner.ts";
import { jobRunner } from "../store/job/jobs.ts";
import type { DemoAccount } from "./accounts.ts";
import { benchmarkPayload, type DemoRun } from "./benchmark.ts";
import { runNights } from "./nights.ts";
import type { DemoServer } from "./server.ts";

interface TargetSpec {
  readonly server: string;
  readonly name: string;
  readonly runsPerJob: number;
  readonly cron: string | null;
  readonly notes: string | null;
  /** The schedule is due in the minute in which the demo starts. */
  readonly startsNow?: true;
  /** The settings of its runs in the last nights, oldest first. */
  readonly nights?: readonly DemoRun["settings"][];
}

const specs: readonly TargetSpec[] = [
  { server: "Evergreen Survival", name: "Survival, on demand", runsPerJob: 1, cron: null, notes: null },
  { server: "Foundry SMP", name: "Foundry, Mondays", runsPerJob: 2, cron: "15 5 * * MON", notes: null },
  {
    server: "Archipelago",
    name: "Archipelago, every night",
    runsPerJob: 1,
    cron: "30 4 * * *",
    notes: "At night, when the islands are empty.",
    nights: [...Array<"ordinary">(8).fill("ordinary"), ...Array<"before">(4).fill("before")],
  },
  { server: "Harbour", name: "Harbour, on demand", runsPerJob: 1, cron: null, notes: null },
  {
    server: "Night Owls",
    name: "Night Owls, daily",
    runsPerJob: 1,
    cron: null,
    notes: null,
    startsNow: true,
  },
];

export const freshTarget = (
  target: Pick<
    TargetRecord,
    "accountId" | "serverId" | "kind" | "name" | "runsPerJob" | "scheduleCron" | "nextRunAt" | "notes"
  >,
  id: string,
  now: Instant,
): TargetRecord => ({
  ...target,
  id,
  enabled: true,
  mode: "standard",
  consecutiveFailures: 0,
  disabledReason: null,
  lastLaunchedAt: null,
  createdAt: now,
  updatedAt: now,
});

/** Makes targets as their owners would in the browser, with the jobs that they ran already. */
export async function makeTargets(
  app: AppContext,
  accounts: readonly DemoAccount[],
  servers: readonly DemoServer[],
  start: Instant,
  still: boolean,
): Promise<void> {
  const { db, secrets, plans } = app;
  const jobs = jobRunner(db);
  for (const { server: name, cron, startsNow, nights = [], ...spec } of specs) {
    const server = servers.find((one) => one.spec.name === name);
    const account = accounts.find((one) => one.name === server?.spec.account)?.account;
    if (!server || !account || !planIncludes(plans[account.plan], "auto-bench")) continue;
    const date = new Date(start);
    const scheduleCron = startsNow ? `${date.getUTCMinutes()} ${date.getUTCHours()} * * *` : cron;
    const next = nextRun({ enabled: true, scheduleCron }, start);
    const target = {
      ...spec,
      accountId: account.id,
      serverId: server.id,
      kind: "scheduled",
      scheduleCron,
      nextRunAt: startsNow && !still ? start : next,
    } as const;
    const id = secrets.newId(start);
    if (nights.length === 0 || next === null) {
      await db.write(insertTarget, freshTarget(target, id, start));
      continue;
    }
    const first = next - nights.length * dayMs;
    // Runs as the service's own job, which would launch targets that are due in the past and end their runs.
    const fill = async (): Promise<void> => {
      await db.write(insertTarget, freshTarget({ ...target, nextRunAt: first }, id, first - dayMs));
      await runNights(app, server, id, nights, first);
    };
    while (!(await jobs.runAlone({ name: "auto-bench", everyMs: 0, run: fill }, app.clock))) await rest(50);
  }
}

/** Returns the runner's key. */
export async function makeRunner({ db, secrets }: AppContext, name: string, now: Instant): Promise<string> {
  const key = secrets.newSecret("runner");
  const runner = { id: secrets.newId(now), name, createdAt: now, revokedAt: null, lastUsedAt: null };
  await db.write(addRunner, runner, secrets.digest(key));
  return key;
}

/** Uploads a report with the job's nonce, as the server's plugin does. Returns the report's id. */
export async function uploadRun(
  { spec, plugin }: DemoServer,
  { nonce, target }: Pick<RunnerJob, "nonce" | "target">,
  seed: number,
  run: number,
  now: Instant,
): Promise<string> {
  const described: DemoRun = {
    host: spec.runs[0]?.host ?? "good",
    mode: target.benchmark_mode,
    settings: "ordinary",
    daysAgo: 0,
    description: null,
    visibility: "private",
  };
  const benchmarked = {
    seed: spec.profile.seed + seed,
    pluginVersion: spec.pluginVersion,
    tellsOutcome: true,
    software: spec.software,
  };
  const { id } = await plugin.uploadReport({
    ...benchmarkPayload(benchmarked, described, now),
    local_id: `auto-${nonce}-${run}`,
    source: "auto_bench",
    job_nonce: nonce,
    finished_at: toTimestamp(now),
  });
  return id;
}

const runMs = 6000;

const simulatedRun =
  (servers: readonly DemoServer[], clock: () => Instant): RunCommand =>
  async (job, run, signal) => {
    const server = servers.find(({ id }) => id === job.target.server_id);
    if (!server) return { errorCode: "unknown_server" };
    const startedAt = clock();
    await rest(runMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return { errorCode: "stopped" };
    // Runs of one host differ a little.
    await uploadRun(server, job, (startedAt % 997) + run, run, clock());
    return null;
  };

/** Runs jobs until it is stopped. Its timers keep no process alive for more than some seconds. */
export function startRunner(
  baseUrl: string,
  key: string,
  servers: readonly DemoServer[],
  clock: () => Instant,
  tell: (line: string) => void,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  const running = runJobs({
    client: runnerClient(baseUrl, key),
    agentId: "demo",
    command: simulatedRun(servers, clock),
    signal: ending.signal,
    tell,
    times: { pollMs: 2000, heartbeatMs: 2000, reportPollMs: 250 },
  }).catch((error: unknown) => tell(String(error)));
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}
