import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answersIn, rawClient, requestText, type RawClient } from "../support/raw-client.ts";
import { startServiceProcess, until, type ServiceProcess } from "../support/service-process.ts";
import { ownTime } from "../support/own-time.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-signals-"));
const stopSeconds = 1;
const drainSeconds = 6;
/** What the machine may take beside, when other tests run on it, ms. */
const slackMs = 1500;

const started: ServiceProcess[] = [];
const start = async (name: string, seconds: number, drain = 0): Promise<ServiceProcess> => {
  const service = await startServiceProcess({
    TICKMARK_DATABASE_URL: `sqlite:${join(folder, `${name}.db`)}`,
    TICKMARK_SECRET: "a secret of this test",
    TICKMARK_STOP_SECONDS: String(seconds),
    TICKMARK_DRAIN_SECONDS: String(drain),
  });
  started.push(service);
  return service;
};

let locked: ServiceProcess;
let twice: ServiceProcess;
let impatient: ServiceProcess;
let draining: ServiceProcess;
beforeAll(async () => {
  [locked, twice, impatient, draining] = await Promise.all([
    start("locked", stopSeconds),
    start("twice", 60),
    start("impatient", 60),
    start("draining", 0, drainSeconds),
  ]);
});
afterAll(async () => {
  for (const { process: child } of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | null;
  readonly wallMs: number;
  /** Of the test's own time, and of the service's. */
  readonly afterMs: number;
}

const ended = async (child: ChildProcess): Promise<Ended> => {
  const from = performance.now();
  const own = ownTime(child.pid ?? process.pid);
  const [status] = (await once(child, "exit")) as [number | null];
  const afterMs = own();
  return { status, afterMs, wallMs: performance.now() - from };
};

const portOf = ({ baseUrl }: ServiceProcess): number => Number(new URL(baseUrl).port);

/** A request whose head the service has read, and whose body never comes. */
async function unfinished(service: ServiceProcess): Promise<RawClient> {
  const head = requestText("POST", "/plugin/v1/link-codes", { expect: "100-continue" }, "", 100);
  const client = await rawClient(portOf(service), head);
  await client.received(/100 Continue/);
  return client;
}

it("[OUR-PRC-26] serve ends with status 0 within the time and a second, whatever it waits for", async () => {
  const port = portOf(locked);
  const silent = await rawClient(port);
  const halfHead = await rawClient(port, "GET /healthz HTTP/1.1\r\nHost: a\r\n");
  const idle = await rawClient(port, requestText("GET", "/healthz"));
  await idle.received(/"ok"/);
  const halfBody = await unfinished(locked);
  // Another program keeps the database locked, so that a write waits, and the last words of the service too.
  const other = openSqliteConnection(join(folder, "locked.db"));
  other.exec("BEGIN IMMEDIATE");
  const body = JSON.stringify({ installation_id: "6f1c0c52-8a39-4c5e-9d5b-0000000000aa", server: {} });
  const waiting = await rawClient(port, requestText("POST", "/plugin/v1/link-codes", {}, body));
  const end = ended(locked.process);
  locked.process.kill("SIGTERM");
  const { status, afterMs } = await end;
  other.close();
  console.log(`serve with 5 kinds of client and a locked database ended after ${afterMs.toFixed(0)} ms`);
  expect(status).toBe(0);
  expect(afterMs).toBeLessThan((stopSeconds + 1) * 1000 + slackMs);
  expect(await silent.closed).toBe("");
  expect(await halfHead.closed).toBe("");
  for (const client of [halfBody, waiting]) {
    const [answer] = answersIn((await client.closed).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ""));
    expect(answer).toMatchObject({ status: 503, headers: { connection: "close" } });
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ error: "unavailable" });
  }
});

it("[OUR-PRC-29] with a time to drain, readyz is 503 while requests are still taken; then serve ends in time", async () => {
  const end = ended(draining.process);
  draining.process.kill("SIGTERM");
  const { baseUrl } = draining;
  await until("readyz says that it stops", async () => (await fetch(`${baseUrl}/readyz`)).status === 503);
  // Each over a connection of its own, as behind a proxy that has not looked yet.
  const body = JSON.stringify({ installation_id: "6f1c0c52-8a39-4c5e-9d5b-0000000000ab", server: {} });
  const client = await rawClient(portOf(draining), requestText("POST", "/plugin/v1/link-codes", {}, body));
  await client.received(/\r\n\r\n\{.*\}/s);
  const answer = client.text();
  expect(answer).toMatch(/^HTTP\/1\.1 20\d /);
  expect(answer).not.toMatch(/^connection: close/im);
  const { status, afterMs, wallMs } = await end;
  expect(status).toBe(0);
  expect(wallMs).toBeGreaterThan(drainSeconds * 1000 - slackMs);
  expect(afterMs).toBeLessThan((drainSeconds + 1) * 1000 + slackMs);
});

it("[OUR-PRC-27] the same Ctrl-C, delivered twice, is one signal", async () => {
  const client = await unfinished(twice);
  const end = ended(twice.process);
  twice.process.kill("SIGINT");
  twice.process.kill("SIGINT");
  twice.process.kill("SIGTERM");
  await until("it refuses new connections", () => refused(twice));
  client.socket.destroy();
  expect(await end).toMatchObject({ status: 0 });
});

it("[OUR-PRC-27] a second signal ends the process at once, with status 1", async () => {
  const client = await unfinished(impatient);
  const end = ended(impatient.process);
  impatient.process.kill("SIGTERM");
  await until("it refuses new connections", () => refused(impatient));
  const { exitCode } = impatient.process;
  expect(exitCode).toBeNull();
  const again = setInterval(() => impatient.process.kill("SIGTERM"), 100);
  const { status, afterMs } = await end;
  clearInterval(again);
  expect(status).toBe(1);
  expect(afterMs).toBeLessThan(10_000);
  expect(answersIn(await client.closed)).not.toContainEqual(expect.objectContaining({ status: 503 }));
});

const refused = async (service: ServiceProcess): Promise<boolean> =>
  rawClient(portOf(service)).then(
    ({ socket }) => (socket.destroy(), false),
    () => true,
  );
