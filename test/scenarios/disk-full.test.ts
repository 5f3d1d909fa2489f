import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { blockSegments } from "../../src/core/metric/block/segment.ts";
import { all } from "../../src/store/engine/database.ts";
import { query, type Builder } from "../../src/store/engine/query.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { times } from "../store/engine/rows.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { startTestService } from "../support/service.ts";
import { ask, startServiceProcess, type Answered } from "../support/service-process.ts";
import { smallDisk, whyNoSmallDisk } from "../support/small-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-full-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rounds = 25;

/** What a plugin sends, and what of it was answered as saved. */
class Plugin {
  readonly saved: string[] = [];
  readonly answers: Answered[] = [];
  private serial = 0;
  private readonly service: { readonly baseUrl: string };
  private readonly credential: string;

  private readonly clock: () => number;

  constructor(service: { readonly baseUrl: string }, { servers }: Fleet, clock: () => number = Date.now) {
    this.service = service;
    this.clock = clock;
    this.credential = servers[0]?.credential ?? "";
  }

  private async send(path: string, body: unknown, holds: readonly string[]): Promise<number> {
    const answer = await ask(this.service, "POST", `/plugin/v1${path}`, this.credential, body);
    this.answers.push(answer);
    if (answer.status === 200) this.saved.push(...holds);
    return answer.status;
  }

  beat(): Promise<number> {
    const sent_at = new Date(this.clock() + (this.serial += 1)).toISOString();
    const sample = { sampled_at: sent_at, tps: this.serial % 2 === 0 ? 20 : 5 };
    return this.send("/heartbeat", { sent_at, plugin_version: "1.10.2", sample }, [`${Date.parse(sent_at)}`]);
  }

  report(): Promise<number> {
    const events = times(20).map(() => ({
      local_id: `event ${(this.serial += 1)}`,
      type: "ban",
      category: "moderation",
      source: "LiteBans",
      severity: "warning",
      title: "Griefer42 was banned",
      description: "d".repeat(3000),
    }));
    return this.send(
      "/events",
      { events },
      events.map(({ local_id }) => local_id),
    );
  }
}

/** The times of the samples of a block, as text. */
const timesInBlock = ({ data }: Record<string, unknown>): string[] =>
  blockSegments(data as Uint8Array).flatMap((segment) => Array.from(segment.times(), String));

/** What the database on that path holds, and whether it is sound. */
async function found(path: string): Promise<{ stored: Set<string>; verdict: unknown }> {
  const db = await openRaw(`sqlite:${path}`);
  const [check] = await db.rows("PRAGMA integrity_check");
  const samples = await db.rows("SELECT sampled_at AS it FROM sample");
  const blocks = await db.rows("SELECT data FROM sample_block");
  const events = await db.rows("SELECT local_id AS it FROM server_event WHERE local_id IS NOT NULL");
  await db.close();
  return {
    stored: new Set([
      ...[...samples, ...events].map(({ it }) => String(it)),
      ...blocks.flatMap(timesInBlock),
    ]),
    verdict: check?.["integrity_check"],
  };
}

function statuses(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends and reads as ever while nothing more fits; answers what the reads were told. */
async function whileFull(
  plugin: Plugin,
  service: { readonly baseUrl: string },
  { token, servers }: Fleet,
): Promise<Answered[]> {
  const reads: Answered[] = [];
  const base = `/api/v1/servers/${servers[0]?.id}`;
  for (const _ of times(rounds)) {
    await Promise.all([plugin.beat(), plugin.report()]);
    for (const path of [`${base}/status`, `${base}/events`, `${base}/alert-rules`])
      reads.push(await ask(service, "GET", path, token));
  }
  return reads;
}

function expectClear(answers: readonly Answered[]): void {
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(rounds / 2);
  for (const { status, json, headers } of refused) {
    expect([status, json["error"]]).toEqual([503, "unavailable"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

const pragma = (text: string) =>
  query<Record<string, never>>()<Record<string, number>>((db: Builder) => ({
    compile: () => sql<Record<string, number>>`${sql.raw(text)}`.compile(db),
  }));
const nothingFits = pragma("PRAGMA max_page_count = 1");
const everythingFits = pragma("PRAGMA max_page_count = 1000000");

describe("a service whose disk is full", () => {
  const rule = { name: "Low TPS", metric: "tps", condition: "below", threshold: 18, duration_minutes: 0 };

  it("[OUR-PRC-07] refuses what it cannot save, goes on reading, and goes on with everything without a restart", async () => {
    const path = join(folder, "pages.db");
    const fleet = await makeFleet(`sqlite:${path}`, 1, "enterprise");
    let ahead = 0;
    const clock = (): number => Date.now() + ahead;
    const app = await startTestService({ databaseUrl: `sqlite:${path}`, clock });
    const service = { baseUrl: `http://127.0.0.1:${app.port}` };
    const plugin = new Plugin(service, fleet, clock);
    const db = app.service.database;
    const finished = async () => {
      const raw = await openRaw(`sqlite:${path}`);
      const rows = await raw.rows("SELECT name, last_finished_at AS at FROM job ORDER BY name");
      await raw.close();
      return rows.map(({ at }) => Number(at));
    };
    await ask(service, "POST", `/api/v1/servers/${fleet.servers[0]?.id}/alert-rules`, fleet.token, rule);
    await app.service.work.run();
    const before = await finished();

    await db.read(() => all(nothingFits, {}));
    const reads = await whileFull(plugin, service, fleet);
    ahead = 2 * 60 * 60_000;
    await app.service.work.run();
    expectClear(plugin.answers);
    await db.read(() => all(everythingFits, {}));
    ahead *= 2;
    expect(await Promise.all([plugin.beat(), plugin.report()])).toEqual([200, 200]);
    await app.service.work.run();
    const after = await finished();
    expect(after.filter((at, index) => at - (before[index] ?? 0) <= 3 * 60 * 60_000)).toEqual([]);

    await app.close();
    const { stored, verdict } = await found(path);
    const lost = plugin.saved.filter((it) => !stored.has(it));
    console.log(
      `disk full (no page left): sent ${JSON.stringify(statuses(plugin.answers))}, ` +
        `reads ${JSON.stringify(statuses(reads))}, acknowledged ${plugin.saved.length}, lost ${lost.length}, ` +
        `corruption ${verdict === "ok" ? 0 : String(verdict)}, jobs gone on with ${after.length}`,
    );
    expect(reads.every(({ status }) => status === 200)).toBe(true);
    expect([lost, verdict]).toEqual([[], "ok"]);
  });

  it.skipIf(whyNoSmallDisk() !== null)(
    "[OUR-PRC-07] loses nothing and breaks nothing when the disk is really full, to the last byte",
    async () => {
      const seed = join(folder, "seed.db");
      const fleet = await makeFleet(`sqlite:${seed}`, 1, "enterprise");
      const disk = smallDisk(seed);
      const environment = {
        TICKMARK_DATABASE_URL: disk.databaseUrl,
        TICKMARK_SECRET: "a secret of this test",
      };
      const service = await startServiceProcess(environment, disk.before);
      const pid = service.process.pid ?? 0;
      const plugin = new Plugin(service, fleet);
      const ruleMade = `/api/v1/servers/${fleet.servers[0]?.id}/alert-rules`;
      expect((await ask(service, "POST", ruleMade, fleet.token, rule)).status).toBe(201);
      expect(await plugin.beat()).toBe(200);
      disk.fill(pid);
      const reads = await whileFull(plugin, service, fleet);
      expectClear(plugin.answers);
      expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
      disk.empty(pid);
      expect(await Promise.all([plugin.beat(), plugin.report()])).toEqual([200, 200]);
      disk.rescue(pid, join(folder, "rescued.db"));
      await service.stop();
      const { stored, verdict } = await found(join(folder, "rescued.db"));
      const lost = plugin.saved.filter((it) => !stored.has(it));
      console.log(
        `disk full (to the last byte): sent ${JSON.stringify(statuses(plugin.answers))}, ` +
          `reads ${JSON.stringify(statuses(reads))}, acknowledged ${plugin.saved.length}, lost ${lost.length}, ` +
          `corruption ${verdict === "ok" ? 0 : String(verdict)}`,
      );
      expect(reads.every(({ status }) => status === 200)).toBe(true);
      expect([lost, verdict]).toEqual([[], "ok"]);
    },
  );
});
