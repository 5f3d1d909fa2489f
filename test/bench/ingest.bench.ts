import { openDatabase } from "../../src/store/engine/open-database.ts";
import { addAlertRule } from "../../src/services/alert/add-alert-rule.ts";
import { selectServer } from "../../src/store/server/servers.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type autocannon from "autocannon";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exampleSample } from "../../src/endpoints/api/server/example-sample.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { ask, startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { load } from "./processes.ts";

/** So many that none of them sends more often than a server may. */
const [accounts, serversEach] = [120, 5];
const rulesEach = 5;
const rawMs = 3000;

const folder = mkdtempSync(join(tmpdir(), "tickmark-ingest-"));
const plans = join(folder, "plans.json");
const path = join(folder, "bench.db");
const servers: Fleet["servers"][number][] = [];
let service: ServiceProcess;

const heartbeat = (): string => {
  const now = new Date().toISOString();
  const sample = { ...exampleSample, sampled_at: now };
  return JSON.stringify({ sent_at: now, plugin_version: "1.10.2", last_tick_age_ms: 20, sample });
};

beforeAll(async () => {
  writeFileSync(plans, JSON.stringify({ enterprise: { monitored_servers: serversEach } }));
  for (let account = 0; account < accounts; account += 1)
    servers.push(...(await makeFleet(`sqlite:${path}`, serversEach, "enterprise")).servers);
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

/** Rules as most are most of the time: evaluated with every sample, and fine. */
async function makeRules(): Promise<void> {
  const database = await openDatabase(`sqlite:${path}`, () => {});
  const db = database;
  const common = { durationMinutes: 5, cooldownMinutes: 30, enabled: true, mutedUntil: null };
  const notify = { email: true, chat: false, in_app: true };
  const made = servers.flatMap(({ id: serverId }) =>
    Array.from({ length: rulesEach }, async (_, place) => {
      const accountId =
        (await db.read(selectServer, serverId, { accountId: null, admin: true }))?.accountId ?? "";
      const watched = { metric: "tps", condition: "below", threshold: place } as const;
      const definition = { name: `Rule ${place}`, ...watched, ...common, notify };
      const id = `${serverId}-${place}`;
      const replay = { accountId, route: "bench", key: null, bodyDigest: id, now: 0 };
      await db.write(addAlertRule, { id, serverId, accountId, definition, now: 0, limit: 99 }, replay);
    }),
  );
  await Promise.all(made);
  await database.close();
}

/** Every connection goes through the servers in turn, each from another one on. */
function requestsFrom(): Pick<autocannon.Options, "setupClient"> {
  let connection = 0;
  return {
    setupClient: (client) => {
      const start = Math.floor((connection++ * servers.length) / 16.18) % servers.length;
      const inTurn = [...servers.slice(start), ...servers.slice(0, start)];
      client.setRequests(
        inTurn.map(({ credential }) => ({
          method: "POST" as const,
          path: "/plugin/v1/heartbeat",
          headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
          setupRequest: (request: autocannon.Request) => ({ ...request, body: heartbeat() }),
        })),
      );
    },
  };
}

const stored = (): number => {
  const db = new Sqlite(path, { readonly: true });
  const { n } = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM sample").get() ?? { n: 0 };
  db.close();
  return n;
};

/** The same rows written by nobody but SQLite, so many to a transaction. */
function rawRowsPerSecond(together: number): number {
  const db = new Sqlite(path);
  const row = db.prepare<[], Record<string, unknown>>("SELECT * FROM sample LIMIT 1").get() ?? {};
  const copy = new Sqlite(join(folder, `raw-${together}.db`));
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
    if (rules > 0) await makeRules();
    for (const connections of [16, 64]) {
      const before = stored();
      const result = await load(service.process, { url: service.baseUrl, connections, ...requestsFrom() });
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
