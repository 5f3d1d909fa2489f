import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { analyzeTables, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { loopOf, measuredLoop } from "../support/service-loop.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { FleetClient } from "./fleet/client.ts";
import { Timetable } from "./fleet/timetable.ts";
import { heartbeat, heartbeatsOf, makeRules, makeServers, type BenchServer } from "./heartbeats.ts";
import { cpuMicroseconds, cpuOfFamily } from "./processes.ts";

/** The program that is measured; another one's for the figure before a change. */
const program = process.env["BENCH_MAIN"];
/** How many processes serve, one figure after the other. */
const counts = (process.env["BENCH_PROCESSES"] ?? "1,2,4").split(",").map(Number);
/** Reading the clocks of a loop every millisecond costs a twentieth of a core: CPU is measured without. */
const measuresLoop = process.env["BENCH_LOOP"] === "1";
/** On a disk that syncs slowly every figure but the CPU time is that of the disk. */
const waitsForDisk = process.env["BENCH_FSYNC"] === "1";
/** Rules of each server. */
const rules = Number(process.env["BENCH_RULES"] ?? 0);

const [accounts, serversEach] = [12, 50];
const together = 64;
/** 10,000 servers that send every 30 s. */
const steadyRate = 333;
const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
/** Heartbeats that each process has taken before it is measured: after 2,500 Node still spent a seventh more than after 10,000. */
const warmUp = Number(process.env["BENCH_WARM_UP"] ?? 6000);
const waitsEveryMs = 50;

const folder = mkdtempSync(join(tmpdir(), "tickmark-ingest-"));
const plans = join(folder, "plans.json");
const fileUrl = `sqlite:${join(folder, "bench.db")}`;
let postgres: PostgresServer;
const fleets = new Map<string, BenchServer[]>();

beforeAll(async () => {
  writeFileSync(plans, JSON.stringify({ enterprise: { monitored_servers: serversEach } }));
  postgres = await startPostgres(waitsForDisk);
  for (const url of [fileUrl, postgres.url]) {
    const servers = await makeServers(url, accounts, serversEach);
    await firstHeartbeats(url, servers);
    if (rules > 0) await makeRules(url, servers, rules);
    if (url === postgres.url) await analyzeTables(url);
    fleets.set(url, servers);
  }
}, 300_000);
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const jobs = [
  "sweep",
  "maintenance",
  "health",
  "auto-bench",
  "regression",
  "digest",
  "standing",
  "seal",
  "retention",
];

/**
 * Keeps the jobs of the services from running until it is called again: one turn of health over these servers costs as
 * much of the processors as thousands of heartbeats, in one process, at whatever time it is due.
 */
async function holdJobs(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const job of jobs)
    await client.query("SELECT pg_advisory_lock(hashtext('tickmark job'), hashtext($1))", [job]);
  return () => client.end();
}

/** The first heartbeat of a server verifies it and stores the version of its plugin: that is not measured. */
async function firstHeartbeats(url: string, servers: readonly BenchServer[]): Promise<void> {
  const service = await startServiceProcess(environmentOf(url), [], program);
  for (let start = 0; start < servers.length; start += together) {
    const answers = servers.slice(start, start + together).map(({ credential }) =>
      fetch(`${service.baseUrl}/plugin/v1/heartbeat`, {
        method: "POST",
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        body: heartbeat(),
      }),
    );
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
  }
  await service.stop();
}

const environmentOf = (url: string): Record<string, string> => ({
  TICKMARK_DATABASE_URL: url,
  TICKMARK_SECRET: "a secret of the bench",
  TICKMARK_PLANS: plans,
  ...(measuresLoop && measuredLoop),
});

/** Where PostgreSQL's processes are while they are at work: how often each was seen, most first. */
async function watchWaits(): Promise<() => Promise<string>> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const seen = new Map<string, number>();
  let looks = 0;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ at: string; n: number }>({
      name: "waits",
      text: `SELECT coalesce(CASE WHEN state = 'active' THEN coalesce(wait_event_type || ':' || wait_event, 'running') ELSE state END, backend_type) AS at,
               count(*)::int AS n FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() GROUP BY 1`,
    });
    looks += 1;
    for (const { at, n } of rows) seen.set(at, (seen.get(at) ?? 0) + n);
  };
  const timer = setInterval(() => void look().catch(() => {}), waitsEveryMs);
  return async () => {
    clearInterval(timer);
    await client.end();
    return [...seen]
      .toSorted((a, b) => b[1] - a[1])
      .map(([at, n]) => `${at} ${(n / looks).toFixed(2)}`)
      .join(", ");
  };
}

interface Sent {
  readonly rate: number;
  readonly p99: number;
  readonly notOk: number;
  /** CPU of the serving processes and of PostgreSQL, µs a heartbeat. */
  readonly node: number;
  readonly database: number;
  readonly waits: string;
  /** The longest block of a loop, ms as the loop saw it and of CPU. */
  readonly block: string;
}

/** What a load on one service measured. */
interface Load {
  readonly total: number;
  /** Answers a second. */
  readonly rate: number;
  readonly p99: number;
  readonly notOk: number;
}

/** Loads one of the services, `index`, over so many connections. */
type Loading = (url: string, index: number, connections: number) => Promise<Load>;

/** Each connection sends the next heartbeat when the one before is answered. */
const atOnce =
  (servers: readonly BenchServer[], options: Pick<autocannon.Options, "duration" | "amount">): Loading =>
  async (url, index, connections) => {
    const own = heartbeatsOf(servers, index * connections);
    const { requests, latency, non2xx, errors } = await autocannon({ url, connections, ...options, ...own });
    return {
      total: requests.total,
      rate: requests.average,
      p99: latency.p99,
      notOk: non2xx + errors,
    };
  };

/**
 * So many heartbeats a second at random instants, measured from these. Autocannon sends all those of a second at its
 * beginning, so that its p99 at 333/s is how long 333 at once take.
 */
const spread =
  (servers: readonly BenchServer[], aSecond: number): Loading =>
  async (url, index, connections) => {
    const client = new FleetClient([url], connections);
    const timetable = new Timetable();
    const gapMs = 1000 / aSecond;
    let next = index;
    timetable.every(Date.now(), gapMs, gapMs, (due) => {
      const authorization = `Bearer ${servers[next++ % servers.length]?.credential}`;
      const headers = { authorization, "content-type": "application/json" };
      const request = { route: "heartbeat", method: "POST", path: "/plugin/v1/heartbeat" } as const;
      client.send({ ...request, headers, body: heartbeat() }, due);
    });
    timetable.start();
    await delay(seconds * 1000);
    timetable.stop();
    await client.close();
    const figures = client.take().routes.get("heartbeat");
    if (figures === undefined) throw new Error("No heartbeat was sent.");
    const { times, answered } = figures;
    return {
      total: times.count,
      rate: answered / seconds,
      p99: Math.round(times.percentile(99) / 1000),
      notOk: times.count - answered,
    };
  };

async function send(
  services: readonly ServiceProcess[],
  loading: Loading,
  isPostgres: boolean,
  connections = together / services.length,
): Promise<Sent> {
  const nodeCpu = (): number =>
    services.reduce((sum, { process: child }) => sum + cpuMicroseconds(child.pid ?? 0), 0);
  const databaseCpu = (): number => (isPostgres ? cpuOfFamily(postgres.pid() ?? 0) : 0);
  const waits = isPostgres ? await watchWaits() : async () => "";
  if (measuresLoop) for (const service of services) await loopOf(service);
  const before = [nodeCpu(), databaseCpu()] as const;
  const results = await Promise.all(
    services.map(({ baseUrl }, index) => loading(baseUrl, index, connections)),
  );
  const [node, database] = [nodeCpu() - before[0], databaseCpu() - before[1]];
  const loops = measuresLoop ? await Promise.all(services.map(loopOf)) : [];
  const total = results.reduce((sum, load) => sum + load.total, 0);
  return {
    rate: results.reduce((sum, { rate }) => sum + rate, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    notOk: results.reduce((sum, { notOk }) => sum + notOk, 0),
    node: node / total,
    database: database / total,
    waits: await waits(),
    block:
      loops.length === 0
        ? ""
        : `, longest block ${Math.max(...loops.map(({ wall }) => wall)).toFixed(0)} ms, of CPU ${Math.max(...loops.map(({ cpu }) => cpu)).toFixed(0)}`,
  };
}

const summary = ({ rate, p99, node, database, block }: Sent): string =>
  `${rate.toFixed(0)}/s, p99 ${p99} ms, CPU a heartbeat: Node ${node.toFixed(0)} µs, PostgreSQL ${database.toFixed(0)} µs${block}`;

interface Measured {
  /** With so many connections at once, all processes together. */
  readonly inAll: Sent;
  /** With so many to each process. */
  readonly each: Sent;
}

async function measure(url: string, processes: number): Promise<Measured> {
  const isPostgres = url === postgres.url;
  const servers = fleets.get(url) ?? [];
  const services = await Promise.all(
    Array.from({ length: processes }, () => startServiceProcess(environmentOf(url), [], program)),
  );
  const name = `${isPostgres ? "PostgreSQL" : "SQLite"}, ${processes} processes`;
  const release = isPostgres ? await holdJobs() : async () => {};
  const cold = await send(services, atOnce(servers, { duration: 2 }), isPostgres);
  console.log(`${name}, first 2 s: ${summary(cold)}`);
  // Until the code of every process is compiled a heartbeat costs several times as much.
  await send(services, atOnce(servers, { amount: warmUp }), isPostgres);
  const full = atOnce(servers, { duration: seconds });
  const inAll = await send(services, full, isPostgres);
  console.log(`${name}, ${together} at once: ${summary(inAll)}\n  ${inAll.waits}`);
  const each = processes === 1 ? inAll : await send(services, full, isPostgres, together);
  if (processes > 1) console.log(`${name}, ${together} to each at once: ${summary(each)}\n  ${each.waits}`);
  const steady = await send(services, spread(servers, steadyRate / processes), isPostgres);
  console.log(`${name}, ${steadyRate}/s: ${summary(steady)}`);
  await release();
  for (const service of services) await service.stop();
  expect([cold.notOk, inAll.notOk, each.notOk, steady.notOk]).toEqual([0, 0, 0, 0]);
  expect(steady.rate).toBeGreaterThan(0.9 * steadyRate);
  return { inAll, each };
}

it("heartbeats over SQLite and over PostgreSQL, with several processes on one database", async () => {
  console.log(`fsync ${waitsForDisk ? "on" : "off"}, ${rules} rules a server`);
  const { inAll: file } = await measure(fileUrl, 1);
  let alone: Sent | null = null;
  for (const processes of counts) {
    const { inAll, each } = await measure(postgres.url, processes);
    alone ??= inAll;
    const ofOne = ({ node, database }: Sent): string =>
      ((node + database) / ((alone?.node ?? 0) + (alone?.database ?? 0))).toFixed(2);
    console.log(
      `  ${(inAll.node / file.node).toFixed(2)} × the Node CPU of SQLite; Node and PostgreSQL together ${ofOne(inAll)} × those of ${counts[0]} process, with as many connections to each ${ofOne(each)} ×`,
    );
  }
});
