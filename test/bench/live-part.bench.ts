import { afterAll, beforeAll, expect, it } from "vitest";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { recordHeartbeat, storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { roomyPlans, startTestService, type LinkedServer, type TestService } from "../support/service.ts";
import { signedIn, type Visitor } from "../support/visitor.ts";

const now = Date.UTC(2026, 10, 23, 8);
const dayMs = 86_400_000;
const everyMs = 30_000;
/** The servers of the account beside the one that is looked at. */
const others = 40;

let service: TestService;
let person: Visitor;
let server: LinkedServer;

const sampleAt = (at: number) => ({
  sampledAt: at,
  reported: ReportedSample.parse({
    sampled_at: new Date(at).toISOString(),
    tps: 20,
    mspt: 15 + (at % 7),
    mspt_p95: 24,
    player_count: 12,
    ram_used_mb: 5000,
    ram_max_mb: 10_240,
    heap_after_gc_mb: 3000,
    cpu_usage: 30,
  }),
});

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => now });
  const { db, plans } = service.app;
  const owner = await service.account("enterprise");
  person = await signedIn(service, owner);
  server = await service.server(owner, { name: "Lobby" });
  const times = Array.from({ length: (2 * dayMs) / everyMs }, (_, index) => now - (index + 1) * everyMs);
  for (let from = 0; from < times.length; from += 1000)
    await db.write(storeLateSamples, server.id, times.slice(from, from + 1000).map(sampleAt), now);
  const all = [server];
  for (let place = 0; place < others; place += 1)
    all.push(await service.server(owner, { name: `Other ${place}` }));
  for (const { id } of all)
    await db.write(recordHeartbeat, {
      serverId: id,
      receivedAt: now,
      bootTimestamp: now - 7 * dayMs,
      lastTickAgeMs: 40,
      announcement: null,
      sample: sampleAt(now),
      limits: plans.enterprise,
    });
}, 300_000);
afterAll(() => service.close());

it("what one renewal of a server's page costs, by its live part and by the whole page", async () => {
  const cost = async (path: string): Promise<string> => {
    const runs: number[] = [];
    let bytes = 0;
    for (let run = 0; run < 25; run += 1) {
      const cpu = process.cpuUsage();
      const { status, text } = await person.get(path);
      const { user, system } = process.cpuUsage(cpu);
      expect(status).toBe(200);
      runs.push((user + system) / 1000);
      bytes = text.length;
    }
    const [median = 0] = runs.toSorted((one, other) => one - other).slice(12);
    return `${median.toFixed(1)} ms CPU, ${(bytes / 1024).toFixed(1)} KiB`;
  };
  const path = `/servers/${server.id}`;
  console.log(
    [
      `whole page: ${await cost(path)}`,
      `live part: ${await cost(`${path}?part=now`)}`,
      `charts over 6 hours, the whole page: ${await cost(`${path}/charts?range=6h`)}`,
      `their points of the last minute: ${await cost(`${path}/charts?range=6h&data=charts&after=${now / 1000 - 60}`)}`,
      `the counts in the header: ${await cost("/find?data=attention")}`,
    ].join("\n"),
  );
});
