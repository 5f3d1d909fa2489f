import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { largeProfile } from "../support/large-documents.ts";
import { loopOf, measuredLoop } from "../support/service-loop.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-documents-"));
const databaseUrl = `sqlite:${join(folder, "bench.db")}`;
/** Six accounts with a server each that upload, and one that only reads. */
let fleets: Fleet[];
let reader: Fleet;
let service: ServiceProcess;

beforeAll(async () => {
  fleets = [];
  for (let account = 0; account < 6; account += 1) fleets.push(await makeFleet(databaseUrl, 1, "enterprise"));
  reader = await makeFleet(databaseUrl, 1, "enterprise");
  // Nobody runs out of calls here.
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify({ enterprise: { daily_calls: 1_000_000, hourly_calls: 1_000_000 } }));
  service = await startServiceProcess({
    TICKMARK_PLANS: plans,
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_SECRET: "a secret of the bench",
    ...measuredLoop,
  });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly json: Record<string, unknown>;
}

async function timed(path: string, token: string, body?: Buffer): Promise<Timed> {
  const started = performance.now();
  const response = await fetch(`${service.baseUrl}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json", "content-encoding": "gzip" }),
    },
    ...(body && { method: "POST", body: new Uint8Array(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  return { ms: performance.now() - started, status: response.status, json };
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** Calls of another server's owner, one after the other, until the work is done: how long each took. */
async function othersDuring(name: string, work: () => Promise<unknown>): Promise<void> {
  await loopOf(service);
  const started = performance.now();
  const done = work().then(() => true);
  const took: number[] = [];
  for (;;) {
    const { ms, status } = await timed(`/api/v1/servers/${reader.servers[0]?.id}/status`, reader.token);
    expect(status).toBe(200);
    took.push(ms);
    if (await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 5, false))])) break;
  }
  took.sort((a, b) => a - b);
  const loop = await loopOf(service);
  console.log(
    `${name.padEnd(52)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s; others: ${String(took.length).padStart(4)} calls, ` +
      `p50 ${percentile(took, 0.5).toFixed(1)}, p99 ${percentile(took, 0.99).toFixed(1)}, longest ${(took.at(-1) ?? 0).toFixed(1)} ms; longest block ${loop.wall.toFixed(1)} ms, of CPU ${loop.cpu.toFixed(1)} ms; main thread ${loop.spent.toFixed(0)} ms of CPU`,
  );
}

it("six profiles of 0.8 MB at once, read back and compared, beside the calls of somebody else", async () => {
  const files = Array.from({ length: 6 }, (_, index) => largeProfile(index + 1));
  console.log(`profiles: ${files.map(({ length }) => length).join(", ")} bytes, gzip`);
  await othersDuring("at rest, a second", () => new Promise((resolve) => setTimeout(resolve, 1000)));
  const ids: string[] = [];
  const upload = async (file: Buffer, account: number): Promise<void> => {
    const credential = fleets[account]?.servers[0]?.credential ?? "";
    const { status, json } = await timed("/plugin/v1/profiles", credential, file);
    expect(status).toBe(201);
    ids[account] = String(json["profile_id"]);
  };
  await othersDuring("six uploads at once", () => Promise.all(files.map(upload)));
  const read = (rest: (id: string) => string) => async () => {
    const answers = await Promise.all(
      fleets.map(({ servers: [server], token }, account) =>
        timed(`/api/v1/servers/${server?.id}${rest(ids[account] ?? "")}`, token),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  };
  await othersDuring(
    "six details at once",
    read((id) => `/profiles/${id}`),
  );
  await othersDuring(
    "six details of one owner at once",
    read((id) => `/profiles/${id}?owner=Plugin%201`),
  );
  await othersDuring(
    "six comparisons at once",
    read((id) => `/profiles/compare?base=${id}&target=${id}`),
  );
});
