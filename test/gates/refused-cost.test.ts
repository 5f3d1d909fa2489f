import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint/endpoint.ts";
import { secretPrefixes, type SecretKind } from "../../src/core/access/secret.ts";
import { pages } from "../../src/dashboard/pages/registry.ts";
import { agentEndpoints } from "../../src/endpoints/agent/registry.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { paths } from "../../src/oauth/paths.ts";
import { dice } from "../support/dice.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { costlyBodies, seenBody, type CostlyBody } from "./costly-bodies.ts";

/** Milliseconds of processor time that a refused request may cost the service. */
const mostCpuMs = 5;
const bodiesPerRoute = 6;
/** So many of the dearest requests of the search are measured again. */
const measuredAgain = 16;
const rounds = 25;

let service: TestService;
const client = new Worker(new URL("refused-cost-client.mjs", import.meta.url));
beforeAll(async () => {
  service = await startTestService({ trustProxy: "127.0.0.1/32" });
});
afterAll(async () => {
  await client.terminate();
  expect(service.defects).toEqual([]);
  await service.close();
});

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body: CostlyBody;
  readonly credential: Readonly<Record<string, string>>;
}

const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, "019a9f5e-1d00-7000-8000-000000000010");

const routesOf = (prefix: string, endpoints: readonly Endpoint[]) =>
  endpoints.map(({ method, path }) => ({ method, path: prefix + filled(path) }));

/** Every route of every face; whatever is not taken there is refused too. */
const routes = [
  ...routesOf("/api/v1", apiEndpoints),
  ...routesOf("/plugin/v1", pluginEndpoints),
  ...routesOf("/agent/v1", agentEndpoints),
  ...["/mcp", paths.token, paths.revoke, paths.register, "/nothing"].map((path) => ({
    method: "POST",
    path,
  })),
  ...pages.map(({ path }) => ({ method: "POST", path: filled(path) })),
];

/** Credentials that nobody holds: none at all, one of each kind, and a browser's. */
const credentials = (): readonly Attempt["credential"][] => [
  {},
  ...(Object.keys(secretPrefixes) as SecretKind[]).map((kind) => ({
    authorization: `Bearer ${service.app.secrets.newSecret(kind)}`,
  })),
  { cookie: `session=${service.app.secrets.newNonce()}` },
];

let address = 0;

interface Answered {
  readonly status: number;
  /** Processor time of the client's thread, ms. */
  readonly cpuMs: number;
  readonly error?: string;
}

/** Bytes that both threads see, so that handing them over costs nothing. */
const shared = new WeakMap<Buffer, Uint8Array>();
function sharedBytes(bytes: Buffer): Uint8Array {
  const known = shared.get(bytes) ?? new Uint8Array(new SharedArrayBuffer(bytes.length));
  if (!shared.has(bytes)) known.set(bytes);
  shared.set(bytes, known);
  return known;
}

/** Sends from an address of its own, so that no limit of attempts makes it cheap. */
async function send({ method, path, body, credential }: Attempt): Promise<Answered> {
  address += 1;
  const headers = {
    ...body.headers,
    ...credential,
    "x-forwarded-for": `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
    ...(!("transfer-encoding" in body.headers) && { "content-length": String(body.bytes.length) }),
  };
  client.postMessage({ port: service.port, method, path, headers, bytes: sharedBytes(body.bytes) }, []);
  const [answered] = (await once(client, "message")) as [Answered];
  if (answered.error !== undefined) throw new Error(`${method} ${path}, ${body.name}: ${answered.error}`);
  return answered;
}

/** Processor time of this process without the client's thread, ms. */
async function cpuOf(attempt: Attempt): Promise<{ ms: number; status: number }> {
  const before = process.cpuUsage();
  const { status, cpuMs } = await send(attempt);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000 - cpuMs, status };
}

const least = (values: readonly number[]): number => Math.min(...values);

it("[OUR-HTTP-16] no refused request of somebody without a credential costs more than 5 ms, on any route of any face", async () => {
  const random = dice(28);
  const bodies = costlyBodies();
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const found: { attempt: Attempt; ms: number }[] = [];
  const taken: string[] = [];
  let requests = 0;
  for (const { method, path } of routes) {
    const kinds = credentials();
    for (let draw = 0; draw < bodiesPerRoute; draw += 1) {
      const body = draw === 0 ? seenBody : pick(bodies);
      const attempt = { method, path, body, credential: draw === 0 ? {} : pick(kinds) };
      const { ms, status } = await cpuOf(attempt);
      requests += 1;
      if (status < 300 && method !== "GET") taken.push(`${method} ${path} ${body.name}: ${status}`);
      found.push({ attempt, ms });
    }
  }
  const dearest = found.toSorted((a, b) => b.ms - a.ms).slice(0, measuredAgain);
  // In rounds, so that what else this process does for a while falls on one time of each; as many as it takes until
  // the code of a page that nothing else asked for is compiled.
  const times: number[][] = dearest.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { attempt }] of dearest.entries()) times[index]?.push((await cpuOf(attempt)).ms);
  }
  const measured = dearest.map(({ attempt }, index) => {
    const who = Object.values(attempt.credential).join().slice(0, 12);
    return {
      // A busy machine only ever adds to it.
      ms: least(times[index] ?? []),
      what: `${attempt.method} ${attempt.path} ${attempt.body.name} ${who}`,
    };
  });
  measured.sort((a, b) => b.ms - a.ms);
  console.log(`cost of a refused request: ${requests} on ${routes.length} routes; the dearest, CPU ms:`);
  for (const { ms, what } of measured.slice(0, 6)) console.log(ms.toFixed(2), what);
  expect(taken).toEqual([]);
  expect(measured.filter(({ ms }) => ms > mostCpuMs)).toEqual([]);
});
