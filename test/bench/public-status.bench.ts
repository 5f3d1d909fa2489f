import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fieldColumn } from "../../src/core/metric/block/segment.ts";
import { seriesFields } from "../../src/core/metric/fields.ts";
import { median } from "../../src/core/statistics/order.ts";
import { addToBlock } from "../../src/services/metric/seal-samples.ts";
import { publish, shownAt } from "../dashboard/status/publishing.ts";
import { dayMs, handClock, hourMs, minuteMs } from "../support/clock.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";

/**
 * A status page of 25 servers with 90 days of samples every 30 seconds in blocks, as large as a page can be: the first
 * time after a start, each minute, and from memory. The baseline is `/livez`, which does nothing.
 */
const servers = 25;
const everyMs = 30_000;
const perDay = dayMs / everyMs;
const runs = 200;
const folder = mkdtempSync(join(tmpdir(), "tickmark-public-status-"));
const path = join(folder, "bench.db");
const clock = handClock();
let service: TestService;
let address: string;

/** A day of one server with every field; it was silent for a few minutes. */
async function fillDay(server: string, day: number): Promise<void> {
  const gap = Math.floor(day / dayMs) % 7 === 0 ? 400 : Number.NaN;
  const times = Array.from({ length: perDay }, (_, index) => index).filter(
    (index) => !(index > gap && index < gap + 12),
  );
  // Two hours at a time, as samples are moved.
  for (let start = 0; start < perDay; start += perDay / 12) {
    const part = times.filter((index) => index >= start && index < start + perDay / 12);
    const at = Float64Array.from(part, (index) => day + index * everyMs);
    const columns = seriesFields.map(
      (field, place) =>
        [fieldColumn(field), at.map((_, index) => 20 + ((index * (place + 3)) % 17))] as const,
    );
    await service.app.db.writeRelaxed(addToBlock, server, {
      times: at,
      columns: new Map(columns),
      details: part.map(() => null),
    });
  }
}

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now, databaseUrl: `sqlite:${path}` });
  const owner = await service.account("enterprise");
  const linked = [];
  for (let index = 0; index < servers; index += 1) linked.push(await service.server(owner));
  const [first] = linked;
  if (!first) throw new Error("There is no server.");
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  for (let day = today - 89 * dayMs; day < today; day += dayMs) await fillDay(first.id, day);
  const raw = openSqliteConnection(path);
  const copy = raw.prepare(
    "INSERT INTO sample_block (server_id, day, first_at, last_at, points, data) SELECT ?, day, first_at, last_at, points, data FROM sample_block WHERE server_id = ?",
  );
  for (const { id } of linked.slice(1)) copy.run(id, first.id);
  raw.close();
  for (const { credential } of linked)
    await service.request("POST", "/plugin/v1/heartbeat", {
      token: credential,
      body: {
        sent_at: new Date(clock.now()).toISOString(),
        plugin_version: "1.10.2",
        sample: { sampled_at: new Date(clock.now()).toISOString(), tps: 20, player_count: 3 },
      },
    });
  const named = linked.map(({ id }, index) => [id, `Server ${index}`] as const);
  ({ address } = await publish(service, owner, named));
}, 300_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function timed(times: number, work: () => Promise<unknown>): Promise<{ ms: number; stallMs: number }> {
  const walls: number[] = [];
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  for (let run = 0; run < times; run += 1) {
    const start = performance.now();
    await work();
    walls.push(performance.now() - start);
  }
  histogram.disable();
  return { ms: median(walls), stallMs: histogram.max / 1e6 };
}

it("a page of 25 servers with 90 days each", async () => {
  const get = async (route: string, headers: Record<string, string> = {}) =>
    service.request("GET", route, { headers });
  const say = (what: string, { ms, stallMs }: { ms: number; stallMs: number }): void =>
    console.log(`${what}: ${ms.toFixed(2)} ms, longest block ${stallMs.toFixed(1)} ms`);
  const page = `/status/${address}`;
  say("first time after a start", await timed(1, () => get(page)));
  const shown = await shownAt(service, address);
  expect(shown.page.text).toContain("90 days");
  for (const [part, { text }] of Object.entries(shown))
    console.log(`${part}: ${Buffer.byteLength(text)} bytes`);
  const renewed = await timed(9, () => {
    clock.advance(minuteMs);
    return get(page);
  });
  say("renewed", renewed);
  say("from memory", await timed(runs, () => get(page)));
  say("badge from memory", await timed(runs, () => get(`${page}/badge.svg`)));
  const etag = String(shown.badge.headers["etag"]);
  say(
    "badge that the client has",
    await timed(runs, () => get(`${page}/badge.svg`, { "if-none-match": etag })),
  );
  say("baseline /livez", await timed(runs, () => get("/livez")));
  clock.advance(hourMs);
  say("address without a page", await timed(60, () => get("/status/nobody-is-here")));
  say("address without a page, refused", await timed(runs, () => get("/status/nobody-is-here")));
}, 300_000);
