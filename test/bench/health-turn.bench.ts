import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Job } from "../../src/core/job/job.ts";
import { serviceJobs } from "../../src/jobs/jobs.ts";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import { lastDaySlot } from "../../src/core/health/day-slot.ts";
import { refreshBaseline } from "../../src/services/health/refresh-baseline.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { giveHistory, startAtDifferentTimes } from "./fleet-history.ts";

const [minute, day] = [60_000, 86_400_000];
const accounts = 100;
const servers = 10_000;
const lateServers = servers / 20;
const folder = mkdtempSync(join(tmpdir(), "health-turn-"));
const path = join(folder, "health.sqlite");
/** A minute after the end of five minutes, fifty minutes before midnight (UTC). */
let now = Date.UTC(2026, 10, 20, 23, 11, 5);

let service: TestService;
let token: string;
let raw: Sqlite.Database;
let previous: number | null = null;
/** The start of the next day, and the end of the last turn measured. */
const midnight = now - (now % day) + day;
const lastTurn = midnight + 6 * minute + 5000;
const warned: unknown[] = [];

/**
 * The servers that are evaluated in a turn after the first one: those that become late, and those whose time of the day
 * lies in the last turn. Only these have a history in blocks, for that of all would take 2.7 GB.
 */
function historied(): string[] {
  const ids = raw.prepare("SELECT id FROM server ORDER BY installation_id").pluck().all() as string[];
  return ids.filter((id, place) => place <= lateServers || lastDaySlot(id, lastTurn) >= midnight);
}

/**
 * Rows for every server or for those of the table `historied`, written past the service: what it would store of their
 * samples and heartbeats.
 */
function send(minutes: number, late = 0, table: "server" | "historied" = "server"): void {
  raw.exec(`
    WITH RECURSIVE step (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n + 1 < ${minutes * 2})
    INSERT INTO sample (server_id, sampled_at, received_at, tps, mspt, mspt_p95, worst_tick_ms, player_count, cpu_usage,
      cpu_system, ram_max_mb, heap_after_gc_mb, rss_mb, gc_stw_ms, entity_count, loaded_chunks)
    SELECT id, ${now} - 30000 * n - 5000, ${now} - 30000 * n, 20, CASE WHEN place <= ${late} THEN 62 ELSE 15 END,
      25, 60, 12, 30, 40, 10240, 3500, 9000, 20, 2000, 4000
    FROM step, (SELECT id, row_number() OVER (ORDER BY installation_id) AS place FROM ${table}) ORDER BY id, n DESC
    ON CONFLICT DO NOTHING;
    UPDATE server SET last_heartbeat = ${now} - 5000, sampled_at = ${now} - 5000, sample_received_at = ${now} - 5000;
  `);
  // Else the first commit of the turn copies all of these pages into the file.
  raw.pragma("wal_checkpoint(TRUNCATE)");
}

beforeAll(async () => {
  service = await startTestService({
    databaseUrl: `sqlite:${path}`,
    plans: Object.fromEntries(
      Object.entries(roomyPlans).map(([name, plan]) => [name, { ...plan, monitored_servers: 1000 }]),
    ),
    clock: () => now,
  });
  const owner = await service.account("enterprise");
  token = await service.token(owner);
  const template = await service.server(owner);
  const sampled_at = new Date(now - 60 * minute).toISOString();
  await service.app.db.write(recordHeartbeat, {
    serverId: template.id,
    receivedAt: now,
    bootTimestamp: now - day,
    lastTickAgeMs: 40,
    announcement: null,
    sample: {
      sampledAt: now - 60 * minute,
      reported: ReportedSample.parse({ sampled_at, tps: 20, mspt: 15 }),
    },
    limits: service.app.plans.enterprise,
  });
  // A turn is measured alone; the other jobs are named beside it.
  await service.service.work.stop();
  raw = openSqliteConnection(path);
  raw.pragma("synchronous = OFF");
  const columns = (table: string, replaced: Readonly<Record<string, string>>): string =>
    (raw.pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => replaced[name] ?? name)
      .join(", ");
  const clones = (count: number): string =>
    `WITH RECURSIVE clone (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM clone WHERE n + 1 < ${count})`;
  const accountOf = { id: "'account-' || n", email: "'owner-' || n || '@tests.example'" };
  raw.exec(
    `${clones(accounts)} INSERT INTO account SELECT ${columns("account", accountOf)} FROM account, clone`,
  );
  const serverOf = {
    id: "'server-' || printf('%06d', n)",
    installation_id: "'installation-' || printf('%06d', n)",
    account_id: `CASE n % ${accounts} WHEN 0 THEN account_id ELSE 'account-' || (n % ${accounts}) END`,
    linked_by: `CASE n % ${accounts} WHEN 0 THEN linked_by ELSE 'account-' || (n % ${accounts}) END`,
  };
  raw.exec(`${clones(servers)} INSERT INTO server SELECT ${columns("server", serverOf)} FROM server, clone`);
  const ids = historied();
  await giveHistory(service.app.db, raw, template.id, { ids, now });
  raw.exec("CREATE TABLE historied AS SELECT id, installation_id FROM server WHERE false");
  raw
    .prepare(
      "INSERT INTO historied SELECT id, installation_id FROM server WHERE id IN (SELECT value FROM json_each(?))",
    )
    .run(JSON.stringify(ids));
  startAtDifferentTimes(raw, now);
}, 600_000);
afterAll(async () => {
  raw.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const jobs = (): Job[] => {
  const { db, plans, secrets, clock } = service.app;
  const { signal } = new AbortController();
  const warn = (_: string, error: unknown): void => void warned.push(error);
  return serviceJobs({ db, plans, secrets, clock, warn, signal });
};

/** One turn of the job of health: its processor's time, and the longest time between two turns of the loop, of it as well. */
async function turn(): Promise<{ readonly ms: number; readonly longest: number }> {
  const job = jobs().find(({ name }) => name === "health");
  let [longest, last, since, isOver] = [0, cpuMs(), performance.now(), false];
  const look = (): void => {
    const blocked = performance.now() - since;
    // Asking for the processor's time costs a tenth of a millisecond here.
    if (blocked > 2) {
      const at = cpuMs();
      longest = Math.max(longest, Math.min(at - last, blocked));
      last = at;
    }
    since = performance.now();
    if (!isOver) setImmediate(look);
  };
  const before = process.cpuUsage();
  look();
  await job?.run(previous);
  isOver = true;
  previous = now;
  return { ms: cpuMs(before), longest };
}

async function show(name: string): Promise<{ readonly ms: number; readonly longest: number }> {
  const spent = await turn();
  console.log(
    `${name}: ${spent.ms.toFixed(0)} ms of the processor, the longest block ${spent.longest.toFixed(1)} ms`,
  );
  return spent;
}

/** What the other jobs need for the same five minutes. */
async function showOthers(): Promise<void> {
  const spent: string[] = [];
  for (const job of jobs()) {
    if (job.name === "health" || job.everyMs > 5 * minute) continue;
    const before = process.cpuUsage();
    await job.run(now - job.everyMs);
    spent.push(`${job.name} ${cpuMs(before).toFixed(0)} ms`);
  }
  console.log(`the other jobs of these minutes, once each: ${spent.join(", ")}`);
}

/** What the job works out at each server's time of the day, of those with a history. */
async function keepUsual(): Promise<void> {
  const known = raw
    .prepare("SELECT id, boot_timestamp AS bootTimestamp FROM server WHERE id IN (SELECT id FROM historied)")
    .all() as { id: string; bootTimestamp: number }[];
  for (const server of known) await refreshBaseline(service.app.db, server, now);
}

const next = (minutes = 5): void => {
  now += minutes * minute;
};

it(`turns of five minutes over ${servers} servers on SQLite`, { timeout: 1_200_000 }, async () => {
  send(15);
  // Samples of the last whole hour, at least, are in no block yet.
  send(71, 0, "historied");
  await show(
    "the first turn of all, every server is evaluated, one of twenty with its history, and 100 baselines are made",
  );
  await keepUsual();
  for (const round of [1, 2, 3]) {
    next();
    send(5);
    raw.exec(`UPDATE server_baseline SET day = ${now - (now % day)}`);
    raw.exec(`INSERT OR IGNORE INTO server_baseline (server_id, day, baseline, measured)
      SELECT id, ${now - (now % day)}, '{"day":${now - (now % day)},"bands":[{"playersFrom":10,"median":15,"p98":18,"buckets":900,"days":14}],"enoughOn":null}', '["tps","mspt"]' FROM server`);
    const { ms, longest } = await show(`a usual turn, ${round}`);
    expect([ms < 5000, longest < 200]).toEqual([true, true]);
  }
  next();
  send(5, lateServers);
  await show("5 % of the servers are late for the first time");
  for (const minutes of [5, 10, 15, 20, 25]) {
    next();
    send(5, lateServers);
    await show(`5 % of the servers have been late for ${minutes} minutes`);
  }
  await showOthers();
  next(10);
  send(5);
  await show("the first turn of a day, when 5 % are no longer late, and the work of the day of one turn");
  expect(warned).toEqual([]);
});

it("what the stored health adds to an overview of 100 servers", async () => {
  const ask = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let call = 0; call < 100; call += 1)
      expect((await service.request("GET", "/api/v1/monitoring/overview", { token })).status).toBe(200);
    return cpuMs(before) / 100;
  };
  raw.exec("CREATE TABLE kept AS SELECT * FROM server_health");
  const [withHealth, without]: [number[], number[]] = [[], []];
  // One after the other, so that what the machine does besides falls on both.
  for (let round = 0; round < 41; round += 1) {
    withHealth.push(await ask());
    raw.exec("DELETE FROM server_health");
    without.push(await ask());
    raw.exec("INSERT OR REPLACE INTO server_health SELECT * FROM kept");
  }
  const [more, less] = [withHealth, without].map(
    (runs) => runs.toSorted((one, other) => one - other)[20] ?? 0,
  ) as [number, number];
  console.log(
    `GET /monitoring/overview of 100 servers: ${more.toFixed(2)} ms with stored health, ${less.toFixed(2)} ms with none: ${(100 * (more / less - 1)).toFixed(0)} % more`,
  );
});
