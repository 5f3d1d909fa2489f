import { afterAll, beforeAll, expect, it } from "vitest";
import { findingsOf } from "../../src/core/health/evaluate.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { readHealthFacts } from "../../src/services/health/read-health-facts.ts";
import { recordHeartbeat, storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { selectLows } from "../../src/store/health/field-lows.ts";
import { selectMonitoredServer } from "../../src/store/server/servers.ts";
import { dice } from "../support/dice.ts";
import { startTestService, roomyPlans, type LinkedServer, type TestService } from "../support/service.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 20, 11, 59, 45);
const days = 8;
const lateMs = 5 * 3_600_000;

let service: TestService;
let server: LinkedServer;

const random = dice(1);
const valuesAt = (at: number) => ({
  sampled_at: new Date(at).toISOString(),
  tps: 20,
  mspt: (at > now - lateMs ? 60 : 15) + random(),
  mspt_p95: 30 + random(),
  worst_tick_ms: 60,
  player_count: 12,
  entity_count: 2000,
  loaded_chunks: 4000,
  tile_entities: 800,
  ram_used_mb: 4000,
  ram_max_mb: 10_240,
  heap_after_gc_mb: Math.round(3000 + 500 * random()),
  rss_mb: 9000,
  cpu_usage: 30,
  cpu_system: 40,
  gc_stw_ms: 20,
});
const sampleAt = (at: number) => ({ sampledAt: at, reported: ReportedSample.parse(valuesAt(at)) });

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => now });
  server = await service.server(await service.account("enterprise"));
  const { db } = service.app;
  for (let at = now - days * dayMs; at < now; at += 1000 * 30_000)
    await db.write(
      storeLateSamples,
      server.id,
      Array.from({ length: 1000 }, (_, index) => sampleAt(at + index * 30_000)).filter(
        ({ sampledAt }) => sampledAt < now,
      ),
      now,
    );
  await db.write(recordHeartbeat, {
    serverId: server.id,
    receivedAt: now,
    bootTimestamp: now - days * dayMs,
    lastTickAgeMs: 40,
    announcement: null,
    sample: sampleAt(now),
    limits: service.app.plans.enterprise,
  });
});
afterAll(() => service.close());

/** The median of eleven runs, ms by the clock. */
async function medianMs(work: () => Promise<unknown>): Promise<string> {
  const runs: number[] = [];
  for (let run = 0; run < 11; run += 1) {
    const before = performance.now();
    await work();
    runs.push(performance.now() - before);
  }
  return `${(runs.toSorted((one, other) => one - other)[5] ?? 0).toFixed(1)} ms`;
}

it("what the facts of a server's health cost, with eight days of samples every 30 seconds", async () => {
  const { db, plans } = service.app;
  const monitored = await db.read(selectMonitoredServer, server.id, server.owner.id);
  if (!monitored) throw new Error("The server is not there.");
  const facts = (to: number) =>
    readHealthFacts(db, {
      server: monitored,
      limits: plans.enterprise,
      from: to - dayMs,
      to,
      now,
      regressionSince: null,
    });
  const late = await facts(now);
  expect(late.heapLows).toHaveLength(27);
  expect(findingsOf(late)[0]).toMatchObject({ code: "tick_over_budget" });
  expect(late.samplesFrom).toBe(now - dayMs);
  const calmAt = now - lateMs - 60_000;
  console.log(
    [
      `the heap of seven days in one statement: ${await medianMs(() => db.read(selectLows, server.id, "heap_after_gc_mb", now - 7 * dayMs, now))}`,
      `all facts while nothing is wrong: ${await medianMs(() => facts(calmAt))}`,
      `all facts while ticks have been late for 5 h: ${await medianMs(() => facts(now))}`,
    ].join("\n"),
  );
});
