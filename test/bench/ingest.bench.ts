import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { heartbeat, heartbeatsOf, makeRules, makeServers, type BenchServer } from "./heartbeats.ts";
import { load } from "./processes.ts";

/** So many that none of them sends more often than a server may. */
const [accounts, serversEach] = [120, 5];
const rulesEach = 5;
const rawMs = 3000;

const folder = mkdtempSync(join(tmpdir(), "tickmark-ingest-"));
const plans = join(folder, "plans.json");
const path = join(folder, "bench.db");
let servers: BenchServer[] = [];
let service: ServiceProcess;

beforeAll(async () => {
  writeFileSync(plans, JSON.stringify({ enterprise: { monitored_servers: serversEach } }));
  servers = await makeServers(`sqlite:${path}`, accounts, serversEach);
  service = await startServiceProcess({
    TICKMARK_DATABASE_URL: `sqlite:${path}`,
    TICKMARK_SECRET: "a secret of the bench",
    TICKMARK_PLANS: plans,
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const stored = (): number => {
  const db = openSqliteConnection(path, { readonly: true });
  const { n } = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM sample").get() ?? { n: 0 };
  db.close();
  return n;
};

/** The same rows written by nobody but SQLite, so many to a transaction. */
function rawRowsPerSecond(together: number): number {
  const db = openSqliteConnection(path);
  const row = db.prepare<[], Record<string, unknown>>("SELECT * FROM sample LIMIT 1").get() ?? {};
  const copy = openSqliteConnection(join(folder, `raw-${together}.db`));
  copy.pragma("journal_mode = WAL");
  copy.pragma("synchronous = FULL");
  const table = db.prepare<[], { sql: string }>("SELECT sql FROM sqlite_master WHERE name = 'sample'").get();
  copy.exec(String(table?.sql).replace(/REFERENCES server \(id\)/, ""));
  db.close();
  const names = Object.keys(row);
  const insert = copy.prepare(
    `INSERT INTO sample (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  );
  let written = 0;
  const write = copy.transaction(() => {
    for (let index = 0; index < together; index += 1, written += 1)
      insert.run({ ...row, server_id: servers[written % servers.length]?.id, sampled_at: written });
  });
  const started = performance.now();
  while (performance.now() - started < rawMs) write();
  const perSecond = (written * 1000) / (performance.now() - started);
  copy.close();
  return perSecond;
}

it("heartbeats accepted a second, durably, beside raw inserts of the same rows", async () => {
  const first = await ask(
    service,
    "POST",
    "/plugin/v1/heartbeat",
    servers[0]?.credential ?? "",
    JSON.parse(heartbeat()),
  );
  expect(first.json["accepted"]).toBe(true);
  const raw = new Map<number, number>();
  for (const together of [1, 16, 64]) {
    raw.set(together, rawRowsPerSecond(together));
    console.log(`raw inserts, ${together} to a transaction, FULL: ${raw.get(together)?.toFixed(0)} rows/s`);
  }
  for (const rules of [0, rulesEach]) {
    if (rules > 0) await makeRules(`sqlite:${path}`, servers, rulesEach);
    for (const connections of [16, 64]) {
      const before = stored();
      const result = await load(service.process, {
        url: service.baseUrl,
        connections,
        ...heartbeatsOf(servers),
      });
      const rate = result.requestsPerSecond;
      const beside = (together: number): string => (rate / (raw.get(together) ?? Number.NaN)).toFixed(2);
      console.log(
        `heartbeats, ${connections} connections, ${rules} rules: ${rate.toFixed(0)} req/s, ` +
          `p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms, ${result.cpuPerRequest.toFixed(0)} µs CPU/req, ` +
          `not 2xx ${result.notOk}; of raw inserts ${beside(1)} (one each), ${beside(connections)} (${connections} together)`,
      );
      expect(result.notOk).toBe(0);
      expect(stored() - before).toBeGreaterThan(rate * 5 * 0.9);
    }
  }
});
