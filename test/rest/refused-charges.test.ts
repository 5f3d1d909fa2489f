import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addRunner } from "../../src/services/auto-bench/add-runner.ts";
import { heartbeatLimits, readHereLimit } from "../../src/contract/limits/body-limits.ts";
import { senderThrottle } from "../../src/contract/limits/sender-throttle.ts";
import { tokenBuckets } from "../../src/contract/limits/token-buckets.ts";
import type { DocumentJob } from "../../src/documents/tasks.ts";
import { onThisThread } from "../support/on-this-thread.ts";
import { referencePayload } from "../support/payload.ts";
import { roomyPlans, startTestService, type Answer, type TestService } from "../support/service.ts";
import { signedIn } from "../support/visitor.ts";

const now = { ms: Date.now() };
const jobs: DocumentJob["name"][] = [];
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plans: roomyPlans,
    clock: () => now.ms,
    countsRefused: true,
    executor: { ...onThisThread, run: (job) => (jobs.push(job.name), onThisThread.run(job)) },
  });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});
beforeEach(() => {
  now.ms += 120_000;
  jobs.length = 0;
});

const told = ({ status, json }: Answer) => [status, json["error"]];
const beat = () => ({ sent_at: new Date(now.ms).toISOString(), plugin_version: "1.10.2" });

/** A server of an account of its own, and what it sends. */
async function sender() {
  const { credential, id } = await service.server(await service.account());
  const send = (path: string, body: unknown, headers = {}, method = "POST") =>
    service.request(method, `/plugin/v1${path}`, { token: credential, body, headers });
  return { id, send };
}

/** How many of these answers come before one that tells to wait. */
async function untilTold(send: () => Promise<Answer>): Promise<{ before: number; last: Answer }> {
  for (let before = 0; before < 100; before += 1) {
    const last = await send();
    if (last.status === 429) return { before, last };
  }
  throw new Error("Nobody told to wait.");
}

describe("what a refused body counts as", () => {
  it("[OUR-HTTP-35] ten requests: a server sends six at once, and then two a second; others of the account wait for nothing", async () => {
    const [one, other] = [await sender(), await sender()];
    const { before, last } = await untilTold(() => one.send("/heartbeat", "{"));
    expect([before, last.json["error"]]).toEqual([6, "rate_limited"]);
    expect(Number(last.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await other.send("/heartbeat", beat())).status).toBe(200);
    now.ms += 1000;
    expect((await untilTold(() => one.send("/heartbeat", "{"))).before).toBe(2);
    now.ms += 1000;
    expect((await one.send("/heartbeat", beat())).status).toBe(200);
  });

  it("[OUR-HTTP-35] one more for each 16 KiB, once decompressed, wherever it was read", async () => {
    const { send } = await sender();
    const long = JSON.stringify({ samples: [{ sampled_at: 1 }], more: "x".repeat(640 * 1024) });
    expect(told(await send("/samples", gzipSync(long), { "content-encoding": "gzip" }))).toEqual([
      400,
      "validation_error",
    ]);
    expect(jobs).toEqual(["readBatch"]);
    // 1 that came, and 10 + 40 that were refused, of 60.
    const { before } = await untilTold(() => send("/heartbeat", beat()));
    expect(before).toBe(9);
  });

  it("[OUR-HTTP-35] bodies that came in together are not read once one of them was refused and its sender owes", async () => {
    const { send } = await sender();
    const answers = await Promise.all(Array.from({ length: 40 }, () => send("/heartbeat", "{")));
    const refused = answers.filter(({ status }) => status === 400).length;
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - refused);
    expect(refused).toBeLessThanOrEqual(6);
    const [large] = [await sender()];
    const wrong = JSON.stringify({ samples: [1], more: "x".repeat(1024 * 1024) });
    const later = await Promise.all(Array.from({ length: 8 }, () => large.send("/samples", wrong)));
    expect(later.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(jobs).toEqual(["readBatch"]);
  });

  it("[OUR-HTTP-35] an accepted body counts as one, and the refusal of what it asks for as no more", async () => {
    const { send } = await sender();
    const { before } = await untilTold(() => send("/heartbeat", beat()));
    expect(before).toBe(60);
  });

  it("[OUR-HTTP-35] tokens, the connector, runners and signed-in people are counted too, each by themselves", async () => {
    const owner = await service.account("enterprise");
    const server = await service.server(owner);
    const [token, another] = [await service.token(owner), await service.token(owner)];
    const patch = (by: string, body: string) =>
      service.request("PATCH", `/api/v1/servers/${server.id}`, { token: by, body });
    const { before, last } = await untilTold(() => patch(token, "{"));
    expect([before, ...told(last)]).toEqual([7, 429, "rate_limited"]);
    expect((await patch(another, '{"notify_on_report":true}')).status).toBe(200);
    expect((await service.request("GET", "/api/v1/servers", { token })).status).toBe(200);
    const mcp = await service.token(owner);
    const post = () => service.request("POST", "/mcp", { token: mcp, body: " ".repeat(5000) });
    expect((await untilTold(post)).before).toBe(7);
    const key = service.app.secrets.newSecret("runner");
    const id = service.app.secrets.newId(now.ms);
    const runner = { id, name: "rack", createdAt: now.ms, revokedAt: null, lastUsedAt: null };
    await service.app.db.write(addRunner, runner, service.app.secrets.digest(key));
    const claim = () => service.request("POST", "/agent/v1/jobs/claim", { token: key, body: "{" });
    expect((await untilTold(claim)).before).toBe(6);
    const person = await signedIn(service, owner);
    const form = () => person.send("/settings/security", "nothing");
    expect((await untilTold(form)).before).toBe(7);
  });

  it("[OUR-HTTP-35] what is owed is forgiven within a minute, also after the clock was set back", () => {
    const throttle = senderThrottle();
    throttle.charge("a", 1_000_000, 1_000_000);
    expect(throttle.owed("a", 1_000_000)).toBe(57);
    expect(throttle.owed("a", 1_057_000)).toBeNull();
    expect(throttle.wait("a", 1_057_000)).toBe(0.05);
    const buckets = tokenBuckets(20, 60);
    buckets.charge("b", 100, 10_000_000);
    expect(buckets.owed("b", 9_000_000)).toBe(2);
    expect(buckets.owed("b", 9_002_000)).toBeNull();
  });
});

describe("what servers honestly send", () => {
  /** The largest heartbeat of the specification, as UTF-8 without blanks: every field, and each as long as it may be. */
  function largestHeartbeat(): string {
    const [count, rate] = [999_999_999_999, 99_999_999_999.999];
    const name = "\u{1F30D}".repeat(120);
    const world = { name, players: count, entities: count, chunks: count };
    const region = {
      id: -2_147_483_648,
      world: name,
      center_x: -40_000_000,
      center_z: -40_000_000,
      chunks: count,
      players: count,
      entities: count,
      ticks: count,
      ticks_over_50ms: count,
      tps: 19.999_999_999_999_9,
      mspt: rate,
      mspt_p95: rate,
      mspt_max: rate,
      lag_seconds: rate,
    };
    const at = new Date(now.ms).toISOString();
    const counts = [
      "player_count",
      "entity_count",
      "loaded_chunks",
      "cpu_cores",
      "tile_entities",
      "ram_max_mb",
      "ticks_over_50ms",
      "heap_after_gc_mb",
      "rss_mb",
      "container_limit_mb",
      "region_count",
      "regions_omitted",
    ];
    const rates = [
      "mspt",
      "ram_used_mb",
      "worst_tick_ms",
      "mspt_p95",
      "lag_seconds",
      "ping_ms",
      "gc_stw_ms",
      "mspt_region_avg",
    ];
    const sample = {
      sampled_at: at,
      paused_since: at,
      tps: 19.999_999_999_999_9,
      cpu_usage: 99.999_999_999_999,
      cpu_system: 99.999_999_999_999,
      paused_empty: false,
      tps_region_avg: 19.999_999_999_999_9,
      region_source: "player_sections",
      ...Object.fromEntries(counts.map((field) => [field, count])),
      ...Object.fromEntries(rates.map((field) => [field, rate])),
      worlds_top: [world, world, world],
      regions: Array.from({ length: 64 }, () => region),
    };
    const head = {
      sent_at: at,
      boot_timestamp: at,
      plugin_version: "9".repeat(64),
      last_tick_age_ms: 31_622_400_000,
    };
    return JSON.stringify({ ...head, announce: "monitoring_resumed", sample });
  }

  it("[OUR-PLG-03] the largest heartbeat of the specification is taken, and read where calls are answered", async () => {
    const { send } = await sender();
    const text = largestHeartbeat();
    const bytes = Buffer.byteLength(text);
    console.log(`the largest heartbeat: ${bytes} of ${heartbeatLimits.bytes} bytes`);
    for (const [body, headers] of [
      [text, {}],
      [gzipSync(text), { "content-encoding": "gzip" }],
    ] as const)
      expect((await send("/heartbeat", body, headers)).json).toMatchObject({ accepted: true });
    expect(jobs).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(heartbeatLimits.bytes);
  });

  it("longer samples, events, software, reports and tests are read elsewhere, and answered as ever", async () => {
    const { send, id } = await sender();
    const at = (index: number) => new Date(now.ms - index * 1000).toISOString();
    const many = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const samples = many(1000, (index) => ({
      sampled_at: at(index),
      tps: 19.5,
      mspt: index / 10,
      player_count: index,
      loaded_chunks: 4000,
    }));
    const events = many(500, (index) => ({
      local_id: `e${index}`,
      type: "note",
      category: "custom",
      source: "tests",
      severity: "info",
      title: "x".repeat(100),
      timestamp: at(index),
    }));
    const plugins = many(1000, (index) => ({
      name: `Plugin ${index} ${"x".repeat(60)}`,
      version: "1.0",
      enabled: true,
    }));
    expect((await send("/samples", { samples })).json).toMatchObject({ accepted: true, stored: 1000 });
    const sent = await send("/events", { events });
    expect(sent.json).toMatchObject({ stored: 500 });
    expect((await send("/software", { plugins, mods: [] }, {}, "PUT")).json).toMatchObject({
      accepted: true,
    });
    const report = referencePayload({ local_id: "long", later: { kept: "y".repeat(70_000) } });
    const uploaded = await send("/reports", report);
    expect(uploaded.status).toBe(201);
    const again = await send("/reports", report);
    expect([again.status, again.json["id"]]).toEqual([200, uploaded.json["id"]]);
    const wrong = await send("/samples", { samples: [...samples, { sampled_at: 1 }].slice(1) });
    expect(wrong.json).toMatchObject({
      error: "validation_error",
      path: "/samples/999/sampled_at",
      field: "samples",
    });
    expect(jobs).toEqual(["readBatch", "readBatch", "readBatch", "readBatch", "readBatch", "readBatch"]);
    expect(id).not.toBe("");
  });

  it("long calls of the API and the connector too", async () => {
    const owner = await service.account();
    const token = await service.token(owner);
    const { id } = await service.report(await service.server(owner));
    // Each character as an escape, as clients write it that send ASCII alone.
    const body = `{"private_notes":"${"\\ud83c\\udf0d".repeat(10_000)}"}`;
    expect(body.length).toBeGreaterThan(readHereLimit);
    const patched = await service.request("PATCH", `/api/v1/reports/${id}`, { token, body });
    expect([patched.status, patched.json["error"]]).toEqual([200, undefined]);
    const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"y".repeat(readHereLimit)}"}}`;
    const headers = { accept: "application/json, text/event-stream" };
    expect((await service.request("POST", "/mcp", { token, body: ping, headers })).status).toBe(200);
    expect(jobs).toEqual(["readJson", "readJson"]);
  });
});
