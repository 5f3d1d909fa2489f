import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { answersOf } from "../support/answers-of.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { roomyPlans } from "../support/service.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { heartbeat } from "./heartbeats.ts";

/** How long the load lasts without and with backups, s, and how many requests a second are offered. */
const quietSeconds = Number(process.env["BENCH_QUIET_SECONDS"] ?? 60);
const loadedSeconds = Number(process.env["BENCH_SECONDS"] ?? 300);
const perSecond = Number(process.env["BENCH_RATE"] ?? 100);
/** What the largest plan monitors: events of further servers are not kept. */
const servers = 100;
/** Of so many requests one sends an event, whose number the backups are looked through for. */
const eventEach = 10;

const folder = mkdtempSync(join(tmpdir(), "tickmark-backup-load-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = "a secret of this bench";

const tickmark = (path: string, ...args: string[]): Promise<EndedCommand> =>
  runCommand(args, { TICKMARK_DATABASE_URL: `sqlite:${path}`, TICKMARK_SECRET: secret });

/** An event that the service has taken: its number counts those of all servers in the order in which they were sent. */
interface TakenEvent {
  readonly number: number;
  readonly at: number;
}

/** Requests at a fixed rate, whatever the answers take, so that a service that stands still is seen in their times. */
class Load {
  readonly ms: number[] = [];
  readonly refused: Record<string, number> = {};
  readonly events: TakenEvent[] = [];
  #sent = 0;
  readonly #fleet: Fleet;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async last({ baseUrl }: ServiceProcess, seconds: number): Promise<void> {
    const begun = performance.now();
    const underWay: Promise<void>[] = [];
    for (let count = 0; count < seconds * perSecond; count += 1) {
      const wait = begun + (count * 1000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      underWay.push(this.#one(baseUrl, this.#sent++));
    }
    await Promise.all(underWay);
  }

  async #one(baseUrl: string, number: number): Promise<void> {
    // Moved on with each event, so that every server sends some.
    const server = this.#fleet.servers[(number + Math.floor(number / eventEach)) % servers];
    if (server === undefined) throw new Error("There is no such server.");
    const begun = performance.now();
    const call = async (method: string, path: string, token: string, body?: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
      await answer.arrayBuffer();
      return answer.status;
    };
    const isEvent = number % eventEach === 0;
    const status = await (
      isEvent
        ? call("POST", "/plugin/v1/events", server.credential, eventOf(number))
        : number % 2 === 0
          ? call("GET", `/api/v1/servers/${server.id}/status`, this.#fleet.token)
          : call("POST", "/plugin/v1/heartbeat", server.credential, heartbeat())
    ).catch(() => 0);
    this.ms.push(performance.now() - begun);
    if (status !== 200) this.refused[status] = (this.refused[status] ?? 0) + 1;
    else if (isEvent) this.events.push({ number, at: Date.now() });
  }
}

const eventOf = (number: number): string =>
  JSON.stringify({
    events: [
      {
        local_id: `e${number}`,
        type: "tempban",
        category: "moderation",
        source: "A",
        severity: "info",
        title: `Ban ${number}`,
        timestamp: null,
      },
    ],
  });

const figures = (ms: readonly number[]): string => {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  return `${sorted.length} requests, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} ms`;
};

/** The numbers of the events in a database. */
function eventsIn(path: string): Set<number> {
  const db = openSqliteConnection(path, { readonly: true });
  const titles = db
    .prepare<[], string>("SELECT title FROM server_event WHERE type = 'tempban'")
    .pluck()
    .all();
  db.close();
  return new Set(titles.map((title) => Number(title.slice("Ban ".length))));
}

/** When a backup of that name was begun, to the second, ms. */
const begunAt = (name: string): number => {
  const [, y, mo, d, h, mi, s] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
};

it("a backup every minute under load: times of requests, seconds and bytes of a backup, and that none misses a write", async () => {
  const path = join(folder, "served.db");
  const fleet = await makeFleet(`sqlite:${path}`, servers, "enterprise");
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify(roomyPlans));
  const environment = {
    TICKMARK_DATABASE_URL: `sqlite:${path}`,
    TICKMARK_SECRET: secret,
    TICKMARK_PLANS: plans,
  };
  const load = new Load(fleet);
  const without = await startServiceProcess(environment);
  await load.last(without, quietSeconds);
  await without.stop();
  console.log(`without backups: ${figures(load.ms.splice(0))}, refused ${JSON.stringify(load.refused)}`);

  const backups = join(folder, "backups");
  const service = await startServiceProcess(environment, [], undefined, [
    "--backup-dir",
    backups,
    "--backup-every",
    "1m",
    "--backup-keep",
    "99",
  ]);
  await load.last(service, loadedSeconds);
  const names = readdirSync(backups).filter((name) => name.endsWith(".db"));
  await service.stop();
  console.log(`with backups: ${figures(load.ms)}, refused ${JSON.stringify(load.refused)}`);
  expect(names.length).toBeGreaterThanOrEqual(Math.floor(loadedSeconds / 70));

  for (const name of names) {
    const file = join(backups, name);
    const { mtimeMs, size } = statSync(file);
    const into = join(folder, name.slice(0, -".db".length));
    mkdirSync(into);
    const restored = join(into, "restored.db");
    expect(await tickmark(restored, "restore", file)).toMatchObject({ status: 0, stderr: "" });
    const found = eventsIn(restored);
    const missing = load.events.filter(({ number, at }) => at < begunAt(name) && !found.has(number));
    expect(missing).toEqual([]);
    // A later write of a server is there only with all that were acknowledged before it was sent.
    const newest = Math.max(...found);
    const gaps = load.events.filter(({ number }) => number < newest - 5 * perSecond && !found.has(number));
    expect(gaps).toEqual([]);
    console.log(
      `${name}: at most ${((mtimeMs - begunAt(name)) / 1000).toFixed(1)} s, ${size} bytes, ${found.size} events, none missing`,
    );
  }

  const last = join(folder, "last.db");
  expect(await tickmark(path, "backup", last)).toMatchObject({ status: 0, stderr: "" });
  const again = join(folder, "again.db");
  expect(await tickmark(again, "restore", last)).toMatchObject({ status: 0, stderr: "" });
  const few = { ...fleet, servers: fleet.servers.slice(0, 5) };
  const before = await answersOf(`sqlite:${path}`, few, secret);
  expect(await answersOf(`sqlite:${again}`, few, secret)).toEqual(before);
  console.log(`${before.length} answers of the service and of its restored backup are equal`);
});
