import { selectInbox } from "../../../src/store/notice/notices.ts";
import { expect } from "vitest";
import type { InboxItem } from "../../../src/core/notice/notice.ts";
import { newRunner, newTarget } from "../auto-bench/auto-benching.ts";
import { referencePayload, type Json, type TestChanges } from "../../support/payload.ts";
import {
  startTestService,
  roomyPlans,
  rowsOf,
  type LinkedServer,
  type TestService,
} from "../../support/service.ts";
import { dayMs, handClock, hourMs, minuteMs, type HandClock } from "../../support/clock.ts";

/** What the reference host scores before rounding: 1000, for balance, for 1.5 % of the time in GC, without a late tick. */
const referenceTotal = 1000 * 1.05 * 0.99 * 1.05;

/** How a measurement follows the speed of the host. */
const power: Readonly<Record<string, 1 | -1>> = {
  ops_per_second: 1,
  read_gb_s: 1,
  write_gb_s: 1,
  copy_gb_s: 1,
  latency_ns: -1,
  read_mb_s: 1,
  write_mb_s: 1,
  read_iops: 1,
  write_iops: 1,
  read_p50_ms: -1,
  read_p99_ms: -1,
  write_p99_ms: -1,
  chunks_per_second: 1,
  entity_ticks_per_ms: 1,
  updates_per_ms: 1,
  transfers_per_ms: 1,
};

const atSpeed = (metrics: Json, speed: number): Json =>
  Object.fromEntries(
    Object.entries(metrics).map(([key, value]) => [
      key,
      typeof value === "number" ? value * speed ** (power[key] ?? 0) : value,
    ]),
  );

const referenceTests = referencePayload()["tests"] as { test_id: string; metrics: Json }[];

/** The upload of a host that measures everything so much faster than the reference that its total is this one. */
function uploadOf(total: number, run: Json): Json {
  const speed = total / referenceTotal;
  const faster = referenceTests.map(({ test_id, metrics }) => [
    test_id,
    { metrics: atSpeed(metrics, speed) },
  ]);
  return referencePayload(run, Object.fromEntries(faster) as TestChanges);
}

/** How the server stands at the end of a day. */
export interface Evening {
  readonly reportId: string;
  /** As it is served. */
  readonly verdict: Json;
  /** What the owner was told until then, newest first. */
  readonly inbox: readonly InboxItem[];
}

/** A service with one server that is benchmarked every day at four. */
export interface BenchedServer {
  readonly service: TestService;
  readonly server: LinkedServer;
  /** Lives a day for each total: a job is launched and claimed, a report uploaded, the job finished and judged. */
  days(totals: readonly number[]): Promise<Evening[]>;
  /** How its jobs were launched, and how they ended. */
  jobs(): Promise<Json[]>;
}

/** By hand, or by the schedule of its target. */
export type Launched = "run_now" | "schedule";

interface Scene {
  readonly service: TestService;
  readonly clock: HandClock;
  readonly server: LinkedServer;
  readonly token: string;
  readonly runner: string;
  readonly targetId: string;
}

export async function benchedServer(launched: Launched): Promise<BenchedServer> {
  const clock = handClock(Date.UTC(2026, 10, 30, 8));
  const service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const owner = await service.account("pro");
  const server = await service.server(owner, { name: "Lobby" });
  const token = await service.token(owner);
  const { id: targetId } = await newTarget(service, owner, server.id);
  const scene = { service, clock, server, token, targetId, runner: await newRunner(service) };
  if (launched === "schedule") await schedule(scene);
  return {
    service,
    server,
    days: async (totals) => {
      const evenings = [];
      for (const total of totals) evenings.push(await day(scene, launched, total));
      return evenings;
    },
    jobs: async () => {
      const path = `/api/v1/auto-bench/jobs?limit=100&target_id=${targetId}`;
      return rowsOf(await service.request("GET", path, { token }));
    },
  };
}

async function schedule({ service, token, targetId }: Scene): Promise<void> {
  const body = { schedule_cron: "0 4 * * *" };
  const changed = await service.request("PATCH", `/api/v1/auto-bench/targets/${targetId}`, { token, body });
  expect(changed.json["next_run_at"]).toBe("2026-12-01T04:00:00.000Z");
}

const startOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs;

async function day(scene: Scene, launched: Launched, total: number): Promise<Evening> {
  const { service, clock, server, token, targetId } = scene;
  clock.advance(startOfDay(clock.now()) + dayMs + 4 * hourMs - clock.now());
  if (launched === "schedule") await service.service.work.run();
  else {
    const path = `/api/v1/auto-bench/targets/${targetId}/run-now`;
    expect((await service.request("POST", path, { token })).status).toBe(202);
  }
  const reportId = await runJob(scene, total);
  clock.advance(minuteMs);
  await service.service.work.run();
  const judged = await service.request("GET", `/api/v1/servers/${server.id}/regression`, { token });
  const inbox = await service.app.db.read(selectInbox, server.owner.id, null, 1000);
  return { reportId, verdict: judged.json, inbox };
}

/** What the runner and the plugin do for a job, the newest and only one that waits. */
async function runJob({ service, clock, server, token, runner }: Scene, total: number): Promise<string> {
  const ask = (path: string, body: Json) =>
    service.request("POST", `/agent/v1/jobs/${path}`, { token: runner, body });
  const claimed = await ask("claim", { agent_id: "rack-7" });
  expect(claimed.json).toMatchObject({ job: { runs_total: 1, target: { server_id: server.id } } });
  const { id, nonce } = claimed.json["job"] as { id: string; nonce: string };
  for (const percent of [0, 40, 80]) {
    const running = { nonce, percent, stage: "running_tests", run_index: 1 };
    const heard = await ask(`${id}/heartbeat`, running);
    expect(heard.json).toEqual({ shouldStop: false, reports: 0 });
    clock.advance(4 * minuteMs);
  }
  const reportId = await upload({ service, clock, server }, nonce, total);
  const report = await service.request("GET", `/api/v1/reports/${reportId}`, { token });
  expect(report.json).toMatchObject({ source: "auto_bench", scores: { total } });
  expect((await ask(`${id}/finish`, { nonce, outcome: "succeeded" })).status).toBe(200);
  return reportId;
}

async function upload(
  { service, clock, server }: Pick<Scene, "service" | "clock" | "server">,
  nonce: string,
  total: number,
): Promise<string> {
  const body = uploadOf(total, {
    local_id: `run of ${nonce}`,
    job_nonce: nonce,
    started_at: new Date(clock.now() - 11 * minuteMs).toISOString(),
    finished_at: new Date(clock.now()).toISOString(),
  });
  const taken = await service.request("POST", "/plugin/v1/reports", { token: server.credential, body });
  expect(taken.status).toBe(201);
  return String(taken.json["id"]);
}
