import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { loopOf, measuredLoop } from "../support/service-loop.ts";

// Four senders, each of a free account of its own, send the dearest body that is refused as fast as they are answered; a
// fifth server sends heartbeats. Prints what the fifth waits, and what each refused body costs the service.

const senders = 4;
const restSeconds = 3;
const attackSeconds = 8;
const folder = mkdtempSync(join(tmpdir(), "tickmark-flood-"));

let fleets: Fleet[];
let service: ServiceProcess;
beforeAll(async () => {
  const databaseUrl = `sqlite:${join(folder, "test.db")}`;
  fleets = [];
  for (let at = 0; at <= senders; at += 1)
    fleets.push(await makeFleet(databaseUrl, 1, at === 0 ? "pro" : "free"));
  const secret = "a secret for tests only";
  service = await startServiceProcess({
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_SECRET: secret,
    ...measuredLoop,
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const json = { "content-type": "application/json" };
const gzip = { ...json, "content-encoding": "gzip" };
const names = (count: number) => Array.from({ length: count }, (_, at) => `{"k${at}":1}`).join();
const oneObject = `{${Array.from({ length: 150_000 }, (_, at) => `"k${at}":1`).join()}}`;
const apart = `{"a":[${names(120_000)}]}`;
const wrongTests = `{"tests":[${"{},".repeat(131_000)}{}]}`;
const wrongSamples = `{"samples":[${`{"regions":[${"1,".repeat(63)}1]},`.repeat(999)}1]}`;
const mib = `{"a":[${names(70_000)}]}`.slice(0, 1_000_000);

type Attack = readonly [
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  by: "server" | "token",
];
const attacks = (): Readonly<Record<string, Attack>> => ({
  "150,000 names at /heartbeat": ["/plugin/v1/heartbeat", "POST", gzip, gzipSync(oneObject), "server"],
  "names of many objects at /heartbeat": ["/plugin/v1/heartbeat", "POST", gzip, gzipSync(apart), "server"],
  "names of many objects at /software": ["/plugin/v1/software", "PUT", gzip, gzipSync(apart), "server"],
  "wrong tests at /reports": ["/plugin/v1/reports", "POST", gzip, gzipSync(wrongTests), "server"],
  "wrong samples at /samples": ["/plugin/v1/samples", "POST", gzip, gzipSync(wrongSamples), "server"],
  "names at /profiles": [
    "/plugin/v1/profiles",
    "POST",
    gzip,
    gzipSync(`{"a":[${names(1_000_000)}]}`),
    "server",
  ],
  "names in the API": ["/api/v1/servers/x", "PATCH", json, Buffer.from(mib), "token"],
  "names at /mcp": ["/mcp", "POST", json, Buffer.from(mib), "token"],
});

const beat = JSON.stringify({
  sent_at: new Date().toISOString(),
  plugin_version: "1",
  sample: { sampled_at: new Date().toISOString(), tps: 20 },
});

/** One request; resolves with its status, or 0 where the connection ended first. */
function send(
  agent: Agent,
  method: string,
  path: string,
  headers: object,
  body: Buffer | string,
): Promise<number> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve) => {
    const outgoing = request(
      {
        hostname,
        port,
        agent,
        method,
        path,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)),
    );
    outgoing.on("error", () => resolve(0));
    outgoing.end(body);
  });
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Infinity;

/** Processor time of the service, ms: ticks of 10 ms (proc(5), stat). */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${service.process.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function others(until: AbortSignal): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { ...json, authorization: `Bearer ${fleets[0]?.servers[0]?.credential}` };
  const times: number[] = [];
  while (!until.aborted) {
    const began = performance.now();
    await send(agent, "POST", "/plugin/v1/heartbeat", headers, beat);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  agent.destroy();
  return times;
}

it.each(Object.keys(attacks()))("%s", async (name) => {
  const [path, method, headers, body, by] = attacks()[name] as Attack;
  const rest = await others(AbortSignal.timeout(restSeconds * 1000));
  await loopOf(service);
  const before = cpuMs();
  const until = AbortSignal.timeout(attackSeconds * 1000);
  const statuses: Record<number, number> = {};
  const attack = async ({ token, servers }: Fleet): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const authorization = `Bearer ${by === "token" ? token : servers[0]?.credential}`;
    while (!until.aborted) {
      const status = await send(agent, method, path, { ...headers, authorization }, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    agent.destroy();
  };
  const [times] = await Promise.all([others(until), ...fleets.slice(1).map(attack)]);
  const spent = cpuMs() - before;
  const loop = await loopOf(service);
  const sent = Object.entries(statuses)
    .filter(([status]) => status !== "429")
    .reduce((sum, [, count]) => sum + count, 0);
  const told = (values: readonly number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(0)} p99 ${quantile(values, 0.99).toFixed(0)} ms`;
  console.log(
    `${name} (${body.length} bytes): answers ${JSON.stringify(statuses)}; service ${spent} ms of CPU, its loop ${loop.spent.toFixed(0)}, ` +
      `longest block ${loop.cpu.toFixed(1)} ms CPU; ${(spent / Math.max(1, sent)).toFixed(1)} ms a body that was read; others at rest ${told(rest)}, meanwhile ${told(times)}`,
  );
  expect(times.length).toBeGreaterThan(0);
});
