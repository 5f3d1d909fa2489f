import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startSession } from "../../src/contract/access/person.ts";
import { apiLimits, bodyLimitsOf } from "../../src/contract/limits/body-limits.ts";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { pages } from "../../src/dashboard/pages/registry.ts";
import { workerThreads } from "../../src/documents/worker-threads.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { addRunner } from "../../src/services/auto-bench/add-runner.ts";
import { dice } from "../support/dice.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { refusedBodies, seenNames } from "./refused-bodies.ts";
import type { CostlyBody } from "./costly-bodies.ts";

/** Milliseconds of processor time that a refused body may cost the thread that answers calls, and a small one the service. */
const mostCpuMs = 5;
const bodiesPerRoute = 4;
/** So many of the dearest requests of the search are measured again, that often: a busy machine only ever adds. */
const measuredAgain = 12;
const rounds = 10;

let service: TestService;
let routes: readonly Route[];
const executor = workerThreads();
const client = new Worker(new URL("refused-cost-client.mjs", import.meta.url));

interface Route {
  readonly method: string;
  readonly path: string;
  /** The longest body that is read, bytes. */
  readonly limit: number;
  /** The cheapest credential that the route takes: what anybody gets with an account of the free plan. */
  readonly credential: Readonly<Record<string, string>>;
}

beforeAll(async () => {
  // A measured service forgives refused bodies, so that each is read.
  service = await startTestService({ plans: roomyPlans, executor, timers: false });
  const owner = await service.account("free");
  const server = await service.server(owner);
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const { app } = service;
  const key = app.secrets.newSecret("runner");
  const now = app.clock();
  const runner = {
    id: app.secrets.newId(now),
    name: "rack",
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
  };
  await app.db.write(addRunner, runner, app.secrets.digest(key));
  const cookie = { cookie: `tickmark=${(await startSession(app, owner, "tests", now)).secret}` };
  const token = bearer(await service.token(owner));
  const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, server.id);
  const of = (prefix: string, endpoints: readonly Endpoint[], credential: Route["credential"]): Route[] =>
    endpoints
      .filter(({ method }) => method !== "GET")
      .map((endpoint) => ({
        method: endpoint.method,
        path: prefix + filled(endpoint.path),
        limit: bodyLimitsOf(endpoint).bytes,
        credential,
      }));
  routes = [
    ...of("/api/v1", apiEndpoints, token),
    ...of("/plugin/v1", pluginEndpoints, bearer(server.credential)),
    ...of("/agent/v1", agentEndpoints, bearer(key)),
    { method: "POST", path: "/mcp", limit: apiLimits.bytes, credential: token },
    ...pages
      .filter(({ actions, upload }) => Object.keys(actions).length > 0 || upload !== undefined)
      .map(({ path }) => ({
        method: "POST",
        path: filled(path),
        limit: apiLimits.bytes,
        credential: cookie,
      })),
  ];
});
afterAll(async () => {
  await client.terminate();
  expect(service.defects).toEqual([]);
  await service.close();
  await executor.close();
});

interface Attempt {
  readonly route: Route;
  readonly body: CostlyBody;
}

interface Cost {
  /** Of the thread that answers calls, and of the whole service, ms. */
  readonly loop: number;
  readonly whole: number;
  readonly status: number;
}

/** Processor time of the thread that answers calls, ms (proc(5), schedstat): the service runs on the thread of the test. */
const loopMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;

const shared = new WeakMap<Buffer, Uint8Array>();
function sharedBytes(bytes: Buffer): Uint8Array {
  const known = shared.get(bytes) ?? new Uint8Array(new SharedArrayBuffer(bytes.length));
  if (!shared.has(bytes)) known.set(bytes);
  shared.set(bytes, known);
  return known;
}

async function costOf({ route, body }: Attempt): Promise<Cost> {
  const { method, path, credential } = route;
  const headers = { ...body.headers, ...credential, "content-length": String(body.bytes.length) };
  const [loop, whole] = [loopMs(), process.cpuUsage()];
  client.postMessage({ port: service.port, method, path, headers, bytes: sharedBytes(body.bytes) }, []);
  const [answered] = (await once(client, "message")) as [{ status: number; cpuMs: number; error?: string }];
  const { user, system } = process.cpuUsage(whole);
  if (answered.error !== undefined) throw new Error(`${method} ${path}, ${body.name}: ${answered.error}`);
  return { loop: loopMs() - loop, whole: (user + system) / 1000 - answered.cpuMs, status: answered.status };
}

const least = (costs: readonly Cost[], which: "loop" | "whole"): number =>
  Math.min(...costs.map((cost) => cost[which]));

it("[OUR-HTTP-37] no refused body of somebody with a credential keeps the thread that answers calls for more than 5 ms, on any route of any face", async () => {
  const random = dice(36);
  const bodies = refusedBodies();
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const found: (Attempt & Cost)[] = [];
  for (const route of routes) {
    const drawn = [seenNames, ...Array.from({ length: bodiesPerRoute }, () => pick(bodies))];
    // Where plugins send much, every body: that is where the dearest of each kind are.
    for (const body of route.path.startsWith("/plugin/v1") ? [seenNames, ...bodies] : drawn) {
      const attempt = { route, body };
      const cost = await costOf(attempt);
      // An inventory may have any names beside its own, and none of them: that is accepted.
      if (cost.status >= 400) found.push({ ...attempt, ...cost });
    }
  }
  const dearest = (which: "loop" | "whole", among = found) =>
    among.toSorted((a, b) => b[which] - a[which]).slice(0, measuredAgain);
  const small = found.filter(({ route }) => route.limit <= apiLimits.bytes);
  const measured = [];
  for (const attempt of new Set([...dearest("loop"), ...dearest("whole", small)])) {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await costOf(attempt));
    const { route, body } = attempt;
    const what = `${route.method} ${route.path} ${body.name}`;
    measured.push({
      what,
      loop: least(costs, "loop"),
      whole: least(costs, "whole"),
      isSmall: route.limit <= apiLimits.bytes,
    });
  }
  console.log(
    `refused bodies: ${found.length} on ${routes.length} routes; the dearest, CPU ms of the loop and of all threads:`,
  );
  for (const { loop, whole, what } of measured.toSorted((a, b) => b.loop - a.loop).slice(0, 8))
    console.log(loop.toFixed(2), whole.toFixed(2), what);
  const most = dearest("whole").slice(0, 3);
  for (const { loop, whole, route, body } of most)
    console.log("in worker threads:", loop.toFixed(1), whole.toFixed(0), route.path, body.name);
  expect(measured.filter(({ loop }) => loop > mostCpuMs)).toEqual([]);
  expect(measured.filter(({ isSmall, whole }) => isSmall && whole > mostCpuMs)).toEqual([]);
});
