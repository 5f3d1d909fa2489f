import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { freePort } from "../../support/free-port.ts";
import { analyzeTables, startPostgres, type PostgresServer } from "../../support/postgres.ts";
import { beginProfile, endProfile, memoryOf, probed } from "../../support/service-probe.ts";
import { startServiceProcess, type ServiceProcess } from "../../support/service-process.ts";
import { cpuMicroseconds, cpuOfFamily } from "../processes.ts";
import { FleetClient } from "./client.ts";
import { addFleet, keptFleet, type FleetAccount } from "./fleet-database.ts";
import { startIdleProcess } from "../../support/idle-process.ts";
import { heapFigures, scrape, type HeapFigures, type Scrape } from "./service-figures.ts";
import { slowDisk } from "./slow-disk.ts";
import { storedIn, type Stored } from "./stored.ts";
import { Timetable } from "./timetable.ts";
import { planTraffic, type Accepted, type Rates } from "./traffic.ts";

export interface FleetOptions {
  readonly servers: number;
  /** Servers of each account. */
  readonly accountSize: number;
  /** Measured after the warm-up. */
  readonly minutes: number;
  readonly warmUpMinutes: number;
  readonly database: "sqlite" | "postgres";
  /** Processes that serve one database in turn; figures of one process are of the first. */
  readonly processes: number;
  /** Where the database and the secrets of the fleet are; they are used again where they are there. */
  readonly folder: string;
  readonly connections: number;
  readonly rates: Rates;
  /** The service's figures are read every so often, ms. */
  readonly scrapeEveryMs: number;
  /** How much longer each sync of the service's disk takes, ms. */
  readonly syncMs: number;
  /** Where a profile of the measured time is written; null for none. */
  readonly profile: string | null;
  /** The program that is measured; undefined for that of this project. */
  readonly program?: string;
  readonly print: (line: string) => void;
}

/** What a run measured. */
export interface FleetRun {
  readonly minutes: number;
  readonly routes: ReturnType<FleetClient["take"]>["routes"];
  readonly mostInFlight: number;
  /** CPU time within the measured minutes, µs. */
  readonly cpu: { readonly service: number; readonly database: number; readonly generator: number };
  /** The most CPU time of the service between two readings of its figures, share of a core. */
  readonly busiest: number;
  /** Longest block of each span between two readings, ms. */
  readonly blocks: readonly number[];
  /** By how much a process that does nothing was late at most in each of these spans, ms. */
  readonly idleLate: readonly number[];
  /** By how much the generator itself was late, which counts to the times of all routes, ms. */
  readonly generatorLate: { readonly p99: number; readonly max: number };
  readonly gcSeconds: number;
  readonly first: HeapFigures;
  readonly last: HeapFigures;
  readonly figures: Scrape;
  /** Heartbeats that were answered by a 2xx in all of the run, the warm-up too, and those of them that are not stored. */
  readonly accepted: number;
  readonly lost: number;
  readonly lostEvents: number;
  readonly before: Stored;
  readonly after: Stored;
  /** Of the whole run, ms. */
  readonly lengthMs: number;
}

const many = 1_000_000_000;

/** The generator looks at its own loop so often, ms. */
const ownResolutionMs = 1;

const sleep = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const generatorCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The database of a run with its fleet. */
export interface PreparedFleet {
  readonly url: string;
  readonly accounts: readonly FleetAccount[];
  readonly postgres: PostgresServer | null;
}

/** Makes the fleet, or finds it in the folder. */
export async function prepareFleet({
  database,
  folder,
  servers,
  accountSize,
}: FleetOptions): Promise<PreparedFleet> {
  mkdirSync(folder, { recursive: true });
  if (database === "postgres") {
    const postgres = await startPostgres(true);
    const accounts = await addFleet(postgres.url, servers, accountSize);
    await analyzeTables(postgres.url);
    return { url: postgres.url, accounts, postgres };
  }
  const url = `sqlite:${join(folder, "fleet.db")}`;
  const accounts = await keptFleet(join(folder, "fleet.json"), url, servers, accountSize);
  return { url, accounts, postgres: null };
}

/** Makes a fleet, has it send and read for so long, and answers what that took of the service. */
export async function runFleet(options: FleetOptions): Promise<FleetRun> {
  const { url, accounts, postgres } = await prepareFleet(options);
  try {
    const before = await storedIn(url);
    const plans = join(resolve(options.folder), "plans.json");
    const limits = { daily_calls: many, hourly_calls: many, monitored_servers: options.accountSize };
    writeFileSync(plans, JSON.stringify({ enterprise: limits }));
    const metricsPort = await freePort();
    const environment = {
      ...probed,
      TICKMARK_DATABASE_URL: url,
      TICKMARK_SECRET: "a secret of the simulated fleet",
      TICKMARK_PLANS: plans,
      TICKMARK_METRICS_PORT: String(metricsPort),
      ...slowDisk(options.folder, options.syncMs),
    };
    const service = await startServiceProcess(environment, [], options.program);
    const services = [service];
    while (services.length < options.processes) {
      const own = { ...environment, TICKMARK_METRICS_PORT: String(await freePort()) };
      services.push(await startServiceProcess(own, [], options.program));
    }
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const driven = await drive(options, services, metricsUrl, accounts, postgres?.pid() ?? null).finally(() =>
      Promise.all(services.map((each) => each.stop())),
    );
    const after = await storedIn(url);
    return { ...driven, ...comparison(accounts, driven.sent, before, after), before, after };
  } finally {
    await postgres?.stop();
  }
}

/** The accepted heartbeats and entries that are not in the database. */
function comparison(
  accounts: readonly FleetAccount[],
  sent: Accepted,
  before: Stored,
  after: Stored,
): Pick<FleetRun, "accepted" | "lost" | "lostEvents"> {
  let [accepted, lost] = [0, 0];
  for (const [place, { id }] of accounts.flatMap(({ servers }) => servers).entries()) {
    const count = sent.heartbeats[place] ?? 0;
    const stored = (after.points.get(id) ?? 0) - (before.points.get(id) ?? 0);
    accepted += count;
    lost += Math.max(0, count - stored);
  }
  return { accepted, lost, lostEvents: Math.max(0, sent.events - (after.events - before.events)) };
}

type Driven = Omit<FleetRun, "accepted" | "lost" | "lostEvents" | "before" | "after"> & {
  readonly sent: Accepted;
};

async function drive(
  options: FleetOptions,
  services: readonly ServiceProcess[],
  metricsUrl: string,
  accounts: readonly FleetAccount[],
  postgresPid: number | null,
): Promise<Driven> {
  const [service] = services;
  if (service === undefined) throw new Error("No process serves.");
  const { minutes, warmUpMinutes, rates, connections, profile, print } = options;
  const cpuNow = () => ({
    service: services.reduce((sum, { process: { pid } }) => sum + cpuMicroseconds(pid ?? 0), 0),
    database: postgresPid === null ? 0 : cpuOfFamily(postgresPid),
    generator: generatorCpu(),
  });
  const client = new FleetClient(
    services.map(({ baseUrl }) => baseUrl),
    connections,
  );
  const timetable = new Timetable();
  const start = Date.now();
  const sent = planTraffic(timetable, client, accounts, rates, start);
  timetable.start();
  await sleep(warmUpMinutes * 60_000);
  const first = heapFigures(await memoryOf(service));
  if (profile !== null) await beginProfile(service);
  // The collection stopped the service: what waited meanwhile counts to the warm-up.
  await sleep(Math.min(2000, warmUpMinutes * 60_000));
  client.take();
  const begun = cpuNow();
  const own = monitorEventLoopDelay({ resolution: ownResolutionMs });
  own.enable();
  const { blocks, idleLate, busiest, gcSeconds, figures } = await watch(options, service, metricsUrl);
  own.disable();
  const late = (ns: number): number => Math.max(0, ns / 1e6 - ownResolutionMs);
  const generatorLate = { p99: late(own.percentile(99)), max: late(own.max) };
  const ended = cpuNow();
  timetable.stop();
  await client.close();
  const { routes, mostInFlight } = client.take();
  if (profile !== null) await endProfile(service, resolve(profile));
  const last = heapFigures(await memoryOf(service));
  print(`The run ended after ${((Date.now() - start) / 60_000).toFixed(1)} minutes.`);
  const cpu = {
    service: ended.service - begun.service,
    database: ended.database - begun.database,
    generator: ended.generator - begun.generator,
  };
  const ofService = { blocks, busiest, gcSeconds, figures, first, last, cpu };
  const ofGenerator = { routes, mostInFlight, idleLate, generatorLate, sent };
  return { ...ofService, ...ofGenerator, minutes, lengthMs: Date.now() - start };
}

/** Reads the service's figures for the measured minutes, and twice at least: a machine that stands still makes one long span. */
async function watch(
  { minutes, scrapeEveryMs, print }: FleetOptions,
  service: ServiceProcess,
  metricsUrl: string,
): Promise<Pick<FleetRun, "blocks" | "idleLate" | "busiest" | "gcSeconds" | "figures">> {
  const [blocks, idleLate]: [number[], number[]] = [[], []];
  const idle = startIdleProcess();
  await idle.lateMs();
  const begun = await scrape(metricsUrl);
  let [figures, busiest, cpu, at] = [begun, 0, cpuMicroseconds(service.process.pid ?? 0), Date.now()];
  const until = at + minutes * 60_000;
  for (let left = until - at; left > 0; left = until - at) {
    await sleep(Math.min(left, scrapeEveryMs));
    const late = await idle.lateMs();
    const [newest, cpuNow, now] = [
      await scrape(metricsUrl),
      cpuMicroseconds(service.process.pid ?? 0),
      Date.now(),
    ];
    const share = (cpuNow - cpu) / 1000 / (now - at);
    const jobs = [...newest.jobs].flatMap(([name, { all }]) => {
      const spent = all - (figures.jobs.get(name)?.all ?? 0);
      return spent > 0.05 ? [`${name} ${spent.toFixed(2)} s`] : [];
    });
    print(
      `  longest block ${newest.longestBlockMs.toFixed(0)} ms (an idle process ${late.toFixed(0)} ms), ${(100 * share).toFixed(0)} % of a core, RSS ${newest.rssMb.toFixed(0)} MB; jobs that ended: ${jobs.join(", ") || "none"}`,
    );
    blocks.push(newest.longestBlockMs);
    idleLate.push(late);
    busiest = Math.max(busiest, share);
    [figures, cpu, at] = [newest, cpuNow, now];
  }
  idle.end();
  return { blocks, idleLate, busiest, gcSeconds: figures.gcSeconds - begun.gcSeconds, figures };
}
