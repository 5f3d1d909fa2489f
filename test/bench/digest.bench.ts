import { afterAll, beforeAll, expect, it } from "vitest";
import { digestMessage } from "../../src/core/digest/digest-message.ts";
import { digestPeriod } from "../../src/core/digest/week.ts";
import { healthChanged } from "../../src/core/event/own-event.ts";
import { evaluateServerHealth } from "../../src/services/health/evaluate-servers.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { readDigest } from "../../src/services/digest/read-digest.ts";
import { recordEvents } from "../../src/services/event/record-events.ts";
import { refreshBaseline } from "../../src/services/health/refresh-baseline.ts";
import { recordHeartbeat, storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { sealSamples } from "../../src/services/metric/seal-samples.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 23, 8);
const count = 40;
const everyMs = 30_000;

let service: TestService;
const servers: LinkedServer[] = [];

const sampleAt = (at: number, mspt: number) => ({
  sampledAt: at,
  reported: ReportedSample.parse({
    sampled_at: new Date(at).toISOString(),
    tps: 20,
    mspt,
    mspt_p95: mspt + 5,
    player_count: 12,
    ram_max_mb: 10_240,
    heap_after_gc_mb: 3000,
    cpu_usage: 30,
  }),
});

/** A week of samples of one server, with a silence a day and a verdict that changes twice a day; five are late now. */
async function fill({ id }: LinkedServer, place: number): Promise<void> {
  const { db, plans } = service.app;
  const mspt = place < 5 ? 60 : 15;
  for (let day = 7; day > 0; day -= 1) {
    const start = now - day * dayMs;
    const times = Array.from({ length: dayMs / everyMs }, (_, index) => start + index * everyMs).filter(
      (at) => at - start < 20 * 3_600_000 || at - start > 20.5 * 3_600_000,
    );
    for (let from = 0; from < times.length; from += 1000)
      await db.write(
        storeLateSamples,
        id,
        times.slice(from, from + 1000).map((at) => sampleAt(at, mspt)),
        now,
      );
    const verdicts = ["down", "healthy"] as const;
    const entries = verdicts.map((verdict, index) => {
      const at = start + 20 * 3_600_000 + index * 1_800_000;
      const occasion = { id: service.app.secrets.newId(at), serverId: id, now: at };
      const reasons = verdict === "down" ? (["server_down"] as const) : [];
      const headline = { code: "no_data", text: "" } as const;
      return healthChanged(occasion, "healthy", { verdict, since: at, reasons, headline });
    });
    await db.write(recordEvents, id, entries, now);
  }
  await db.write(recordHeartbeat, {
    serverId: id,
    receivedAt: now,
    bootTimestamp: now - 7 * dayMs,
    lastTickAgeMs: 40,
    announcement: null,
    sample: sampleAt(now, mspt),
    limits: plans.enterprise,
  });
}

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => now });
  const owner = await service.account("enterprise");
  for (let place = 0; place < count; place += 1) {
    const server = await service.server(owner, { name: `Server ${place}` });
    servers.push(server);
    await fill(server, place);
  }
  // As the jobs of every five minutes leave them.
  for await (const _ of sealSamples(service.app.db, now)) continue;
  for (const { id } of servers) {
    await refreshBaseline(service.app.db, { id, bootTimestamp: now - 7 * dayMs }, now);
    await evaluateServerHealth(service.app, id, now);
  }
}, 600_000);
afterAll(() => service.close());

it(`what the digest of an account with ${count} servers costs, each with a week of samples every 30 seconds`, async () => {
  const { db, plans } = service.app;
  const [first] = servers;
  if (!first) throw new Error("There is no server.");
  const read = () =>
    readDigest(db, {
      ...digestPeriod(now, 365, now),
      accountId: first.owner.id,
      limits: plans.enterprise,
      now,
      regressionSince: async () => null,
    });
  const runs: { cpu: number; clock: number }[] = [];
  for (let run = 0; run < 7; run += 1) {
    const [cpu, clock] = [process.cpuUsage(), performance.now()];
    await read();
    const { user, system } = process.cpuUsage(cpu);
    runs.push({ cpu: (user + system) / 1000, clock: performance.now() - clock });
  }
  const median = (of: "cpu" | "clock"): string =>
    (runs.map((run) => run[of]).toSorted((one, other) => one - other)[3] ?? 0).toFixed(0);
  const facts = await read();
  if (!facts) throw new Error("There is no digest.");
  expect(facts.servers).toHaveLength(count);
  expect(facts.servers[0]?.availability.incidents).toBe(7);
  const start = performance.now();
  for (let run = 0; run < 100; run += 1) digestMessage(facts, "email");
  const writing = (performance.now() - start) / 100;
  console.log(
    [
      `reading: ${median("cpu")} ms CPU, ${median("clock")} ms by the clock`,
      `writing the mail: ${writing.toFixed(2)} ms`,
      digestMessage(facts, "email").lines.join("\n"),
    ].join("\n"),
  );
});
