import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { profileOfSpark } from "../../src/core/import/spark-profile.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { hostileImports } from "../support/hostile-imports.ts";
import { int, joined } from "../support/protobuf-writer.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { sharedData } from "../support/shared-data.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-upload-"));
const databaseUrl = `sqlite:${join(folder, "bench.db")}`;
const rounds = 10;
let fleet: Fleet;
let service: ServiceProcess;

beforeAll(async () => {
  fleet = await makeFleet(databaseUrl, 1, "enterprise");
  service = await startServiceProcess({
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_SECRET: "a secret of the bench",
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

async function timed(path: string, init: RequestInit): Promise<Timed> {
  const started = performance.now();
  const response = await fetch(`${service.baseUrl}${path}`, init);
  const json = (await response.json()) as Record<string, unknown>;
  return { ms: performance.now() - started, status: response.status, json };
}

const upload = (path: string, bytes: Uint8Array, type: string): Promise<Timed> =>
  timed(`/plugin/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${fleet.servers[0]?.credential}`, "content-type": type },
    body: new Uint8Array(bytes),
  });

const read = (path: string): Promise<Timed> =>
  timed(`/api/v1/servers/${fleet.servers[0]?.id}${path}`, {
    headers: { authorization: `Bearer ${fleet.token}` },
  });

/** The middle one of so many, after one to warm up; each has its number. */
async function median(work: (round: number) => Promise<number>): Promise<number> {
  await work(rounds);
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) took.push(await work(round));
  took.sort((a, b) => a - b);
  return ((took[rounds / 2 - 1] ?? 0) + (took[rounds / 2] ?? 0)) / 2;
}

const show = (name: string, ms: number, baseline: number): void =>
  console.log(
    `${name.padEnd(66)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / baseline).toFixed(2).padStart(7)} times the baseline`,
  );

/** The most memory the serving process ever held, MiB (Linux). */
const peakMib = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))?.[1]) / 1024;

/** CPU time the serving process has used, ms: user and system, of its clock ticks of 10 ms (Linux). */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${service.process.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const sampler = "application/x-spark-sampler";

it("a profile of 4 MB from upload to answer, beside reading the same file alone, and its detail", async () => {
  const path = sharedData("spark/uUrbLpnMju.sparkprofile");
  if (path === null) return;
  const whole = new Uint8Array(readFileSync(path));
  // A field nobody knows makes each another file that is read the same.
  let serial = 0;
  const another = (): Uint8Array => joined(whole, int(100, (serial += 1)));
  const profiles: string[] = [];
  const stored = async (bytes: Uint8Array): Promise<number> => {
    const { ms, status, json } = await upload("/profiles", bytes, sampler);
    expect(status).toBe(201);
    profiles.push(String(json["profile_id"]));
    return ms;
  };
  const baseline = await median(async () => {
    const bytes = another();
    const started = performance.now();
    profileOfSpark(bytes, String(serial));
    return performance.now() - started;
  });
  show(`baseline: reading ${whole.length} bytes as a document, no service`, baseline, baseline);
  const refused = await median(async () => (await upload("/profiles", another(), "text/plain")).ms);
  show("the same bytes sent and refused for their media type (415)", refused, baseline);
  show("raw, stored (201)", await median(() => stored(another())), baseline);
  const zipped = Array.from({ length: rounds + 1 }, () => gzipSync(another()));
  const packed = (round: number): Uint8Array => zipped[round] ?? new Uint8Array();
  show(
    `gzipped to ${packed(0).length} bytes, stored (201)`,
    await median((round) => stored(packed(round))),
    baseline,
  );
  show(
    "the same file again (200)",
    await median(async () => (await upload("/profiles", whole, sampler)).ms),
    baseline,
  );
  const get = async (rest: string): Promise<number> => {
    const { ms, status } = await read(rest);
    expect(status).toBe(200);
    return ms;
  };
  show("GET its detail", await median((round) => get(`/profiles/${profiles[round]}`)), baseline);
  show(
    "GET its detail, of one owner",
    await median((round) => get(`/profiles/${profiles[round]}?owner=create`)),
    baseline,
  );
  show("GET the list of summaries", await median(() => get("/profiles/summaries")), baseline);
  const pair = (round: number): string =>
    `/profiles/compare?base=${profiles[round]}&target=${profiles[round + 1]}`;
  show(
    "GET the comparison of two, from their documents",
    await median((round) => get(pair(round))),
    baseline,
  );
  console.log(`peak of the service: ${peakMib().toFixed(0)} MiB`);
});

const routes = {
  profile: ["/profiles", sampler],
  heap: ["/memory-reports", "application/x-spark-heap"],
  histogram: ["/memory-reports", "text/x-java-class-histogram"],
  json: ["/profiles", "application/json"],
} as const;

/** How long the slowest of all other calls took that were made, one after the other, until the work was done, ms. */
async function longestOther(work: Promise<unknown>): Promise<number> {
  const done = work.then(() => null);
  let longest = 0;
  for (;;) {
    const other = timed("/healthz", {});
    const first = await Promise.race([other, done]);
    longest = Math.max(longest, (await other).ms);
    if (first === null) return longest;
  }
}

/** A document of ours near the limit: as many nodes as fit. */
function longJson(): Uint8Array {
  const frames = Array.from({ length: 20_000 }, (_, index) => ({ frame: `net.example.C${index}.run` }));
  const nodes = Array.from({ length: 360_000 }, (_, index) => ({
    parent: index - 1,
    frame: index % 20_000,
    samples: 1,
  }));
  return Buffer.from(JSON.stringify({ schema: "service-profile/1", local_id: "long", frames, nodes }));
}

it("the worst files of 16 MiB in a service of their own each: time, memory, and how long others wait", async () => {
  const files = { ...hostileImports, "a document of ours": { kind: "json", bytes: longJson } as const };
  for (const [name, { kind, bytes }] of Object.entries(files)) {
    await service.stop();
    service = await startServiceProcess({
      TICKMARK_DATABASE_URL: databaseUrl,
      TICKMARK_SECRET: "a secret of the bench",
    });
    await timed("/healthz", {});
    const [before, spent] = [peakMib(), cpuMs()];
    const [path, type] = routes[kind];
    const file = bytes();
    const sending = upload(path, file, type);
    const waited = await longestOther(sending);
    const { ms, status } = await sending;
    expect([200, 201, 400, 413], name).toContain(status);
    console.log(
      `${kind}, ${name}, ${(file.length / 1024 / 1024).toFixed(1)} MiB: ${status} in ${ms.toFixed(0)} ms, of CPU ${cpuMs() - spent} ms, others waited ${waited.toFixed(0)} ms, ` +
        `peak ${peakMib().toFixed(0)} MiB, ${(peakMib() - before).toFixed(0)} more than before`,
    );
  }
});
