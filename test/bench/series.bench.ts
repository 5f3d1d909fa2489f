import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealedBefore, sealWindowStart, windowMs } from "../../src/core/metric/block/merge-segments.ts";
import { fieldColumn } from "../../src/core/metric/block/segment.ts";
import { seriesFields, type SeriesField } from "../../src/core/metric/fields.ts";
import type { Sample } from "../../src/core/metric/sample.ts";
import { serverSpecs } from "../../src/demo/fleet.ts";
import { sampleAt } from "../../src/demo/load-profile.ts";
import { simulatedFrom } from "../../src/demo/server-profile.ts";
import { addToBlock } from "../../src/services/metric/seal-samples.ts";
import { insertSamples } from "../../src/store/metric/samples.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { makeFleet } from "../support/fleet.ts";
import { freePort } from "../support/free-port.ts";
import { startServiceProcess, type ServiceProcess } from "../support/service-process.ts";
import { cpuMicroseconds, untilAnswers } from "./processes.ts";

/**
 * One server's 90 days of samples every 30 seconds, six fields of a simulated server, kept here and by VictoriaMetrics,
 * and the same question to both over HTTP on loopback: least, largest and mean of up to 500 buckets, and least, largest,
 * mean, 5th and 95th percentile of all points.
 */
const everyMs = 30_000;
const dayMs = 86_400_000;
const points = 90 * 2880;
const fields: SeriesField[] = ["tps", "mspt", "worst_tick_ms", "player_count", "ram_used_mb", "cpu_usage"];
const now = Math.floor(Date.now() / everyMs) * everyMs;
const first = now - points * everyMs;
const folder = mkdtempSync(join(tmpdir(), "tickmark-series-"));
const path = join(folder, "bench.db");
/** Until the code of a process is compiled an answer costs twice as much. */
const warmUp = 300;
const runs = 60;

const hasVictoria = spawnSync("victoria-metrics", ["-version"]).error === undefined;

/** Both are processes of their own: what this one spends on asking counts to neither. */
let service: ServiceProcess;
let serverId: string;
let token: string;
let victoria: ChildProcess | null = null;
let victoriaUrl = "";

const spec = serverSpecs.find(({ profile }) => profile.kind === "usual" && profile.peakPlayers > 10);
if (!spec) throw new Error("The demo has no usual server.");
const simulated = simulatedFrom(spec.profile, first - dayMs);
const times = Float64Array.from({ length: points }, (_, index) => first + index * everyMs);
const columns = new Map(fields.map((field) => [field, new Float64Array(points)]));

async function fill(db: Database): Promise<void> {
  for (const [index, at] of times.entries()) {
    const sample = sampleAt(simulated, at);
    for (const [field, values] of columns) values[index] = sample[field] ?? Number.NaN;
  }
  const sealed = sealedBefore(now);
  for (let start = 0; start < points;) {
    const from = times[start] ?? 0;
    const to = Math.min(sealWindowStart(from) + windowMs, now);
    const end = Math.min(points, start + Math.round((to - from) / everyMs));
    if (from < sealed)
      await db.writeRelaxed(addToBlock, serverId, {
        times: times.slice(start, end),
        columns: new Map(
          [...columns].map(([field, values]) => [fieldColumn(field), values.slice(start, end)]),
        ),
        details: Array.from({ length: end - start }, () => null),
      });
    else {
      const samples = Array.from(times.slice(start, end), (at, index) => {
        const values = seriesFields.map((field) => [field, columns.get(field)?.[start + index] ?? null]);
        const detail = { paused_empty: null, worlds_top: null, region_source: null, regions: null };
        const sample = { ...Object.fromEntries(values), ...detail } as Sample;
        return { sampledAt: at, receivedAt: at, sample };
      });
      await db.writeRelaxed(insertSamples, serverId, samples);
    }
    start = end;
  }
}

async function startVictoria(): Promise<void> {
  const port = await freePort();
  victoriaUrl = `http://127.0.0.1:${port}`;
  const data = join(folder, "victoria");
  victoria = spawn(
    "victoria-metrics",
    [
      `-storageDataPath=${data}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      "-retentionPeriod=2y",
      "-search.disableCache",
      "-search.latencyOffset=0s",
      "-loggerLevel=ERROR",
    ],
    { stdio: "ignore" },
  );
  await untilAnswers(`${victoriaUrl}/health`);
  for (const [field, values] of columns)
    for (let start = 0; start < points; start += 20_000) {
      const line = {
        metric: { __name__: "sample", field, server: serverId },
        values: [...values.subarray(start, start + 20_000)],
        timestamps: [...times.subarray(start, start + 20_000)],
      };
      const taken = await fetch(`${victoriaUrl}/api/v1/import`, {
        method: "POST",
        body: JSON.stringify(line),
      });
      expect(taken.status).toBe(204);
    }
  await fetch(`${victoriaUrl}/internal/force_flush`);
  await fetch(`${victoriaUrl}/internal/force_merge`);
  await new Promise((resolve) => setTimeout(resolve, 3000));
}

beforeAll(async () => {
  const databaseUrl = `sqlite:${path}`;
  const fleet = await makeFleet(databaseUrl, 1, "enterprise");
  token = fleet.token;
  serverId = fleet.servers[0]?.id ?? "";
  const db = await openDatabase(databaseUrl, () => {});
  await fill(db);
  await db.close();
  const plans = join(folder, "plans.json");
  const limits = { daily_calls: 1_000_000, hourly_calls: 1_000_000, retention_days: 400 };
  writeFileSync(plans, JSON.stringify({ enterprise: limits }));
  service = await startServiceProcess({
    TICKMARK_DATABASE_URL: databaseUrl,
    TICKMARK_SECRET: "a secret of the bench",
    TICKMARK_PLANS: plans,
  });
  if (hasVictoria) await startVictoria();
}, 300_000);
afterAll(async () => {
  await service.stop();
  if (victoria) {
    const ended = once(victoria, "exit");
    victoria.kill();
    await ended;
  }
  rmSync(folder, { recursive: true });
});

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size;

interface Figures {
  readonly ms: number;
  readonly cpuMs: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function repeated(pid: number | undefined, work: () => Promise<unknown>): Promise<Figures> {
  for (let run = 0; run < warmUp; run += 1) await work();
  const walls: number[] = [];
  const before = cpuMicroseconds(pid ?? 0);
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    walls.push(performance.now() - start);
  }
  return { ms: median(walls), cpuMs: (cpuMicroseconds(pid ?? 0) - before) / 1000 / runs };
}

const presets = { "24h": 2880, "7d": 7 * 2880, "30d": 30 * 2880, "90d": points };
type Preset = keyof typeof presets;

const urlOf = (range: Preset): string => {
  const from = new Date(now - presets[range] * everyMs).toISOString();
  const to = new Date(now).toISOString();
  return `${service.baseUrl}/api/v1/servers/${serverId}/metrics?from=${from}&to=${to}&fields=${fields.join()}&max_points=500`;
};

/** The text of the answer, unread. */
async function askFor(range: Preset): Promise<string> {
  const answer = await fetch(urlOf(range), { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(await answer.text());
  return answer.text();
}

async function ask(
  range: Preset,
): Promise<{ seconds: number; summary: Record<string, Record<string, number>> }> {
  const json = JSON.parse(await askFor(range)) as Record<string, unknown>;
  expect(json["points_total"]).toBe(presets[range]);
  return {
    seconds: Number(json["bucket_seconds"]),
    summary: json["summary"] as Record<string, Record<string, number>>,
  };
}

interface VictoriaAnswer {
  readonly data: {
    readonly result: { metric: Record<string, string>; value: [number, string]; values: unknown[] }[];
  };
}

async function query(kind: "query" | "query_range", values: Record<string, string>): Promise<VictoriaAnswer> {
  const form = new URLSearchParams({ ...values, nocache: "1" });
  const answer = await fetch(`${victoriaUrl}/api/v1/${kind}?${form.toString()}`);
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as VictoriaAnswer;
}

/** The same figures: those of the buckets in one query, those of the whole period in two. */
async function askVictoria(range: Preset, seconds: number): Promise<VictoriaAnswer[]> {
  const series = `sample{server="${serverId}"}`;
  const span = presets[range] * (everyMs / 1000);
  const end = String(now / 1000 - 0.001);
  const folds = `("min_over_time","max_over_time","avg_over_time")`;
  return Promise.all([
    query("query_range", {
      query: `aggr_over_time(${folds}, ${series}[${seconds}s])`,
      start: String(now / 1000 - span + seconds),
      end,
      step: `${seconds}s`,
    }),
    query("query", { query: `aggr_over_time(${folds}, ${series}[${span}s])`, time: end }),
    query("query", { query: `quantiles_over_time("phi", 0.05, 0.95, ${series}[${span}s])`, time: end }),
  ]);
}

it("the bytes of a value on disk", () => {
  const db = openSqliteConnection(path);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const [blocks] = db
    .prepare<[], { bytes: number; points: number }>(
      "SELECT sum(length(data)) AS bytes, sum(points) AS points FROM sample_block",
    )
    .all();
  const pages = db
    .prepare<[], number>(
      "SELECT sum(pgsize) FROM dbstat WHERE name IN ('sample_block', 'sqlite_autoindex_sample_block_1')",
    )
    .pluck();
  let onDisk = Number.NaN;
  try {
    onDisk = pages.get() ?? Number.NaN;
  } catch {
    console.log("This SQLite has no dbstat: the size of the whole file stands for that of the blocks.");
    onDisk = statSync(path).size;
  }
  db.close();
  const values = fields.length * (blocks?.points ?? 0);
  console.log(
    `blocks: ${((blocks?.bytes ?? 0) / values).toFixed(3)} bytes a value, ${(onDisk / values).toFixed(3)} with their pages`,
  );
  expect(onDisk / values).toBeLessThan(1.2);
  if (!hasVictoria) return;
  const theirs = sizeOf(join(folder, "victoria", "data"));
  console.log(`VictoriaMetrics: ${(theirs / (fields.length * points)).toFixed(3)} bytes a value`);
});

it("the same question to both", async () => {
  if (!hasVictoria) console.log("There is no VictoriaMetrics here: only our own figures are printed.");
  for (const range of Object.keys(presets) as Preset[]) {
    const { seconds, summary } = await ask(range);
    const ours = await repeated(service.process.pid, () => askFor(range));
    const own = `${range.padStart(4)}: ${ours.ms.toFixed(1)} ms, ${ours.cpuMs.toFixed(1)} ms of CPU`;
    if (!victoria) {
      console.log(own);
      continue;
    }
    const [, whole] = await askVictoria(range, seconds);
    const mspt = whole?.data.result.filter(({ metric }) => metric["field"] === "mspt");
    const found = (mspt ?? []).map(({ value }) => Number(value[1]).toFixed(2));
    // Both were asked for the same points.
    expect(found).toContain(summary["mspt"]?.["max"]?.toFixed(2));
    const theirs = await repeated(victoria.pid, () => askVictoria(range, seconds));
    console.log(
      `${own}; VictoriaMetrics ${theirs.ms.toFixed(1)} ms, ${theirs.cpuMs.toFixed(1)} ms of CPU; ratio ${(ours.ms / theirs.ms).toFixed(2)}, of CPU ${(ours.cpuMs / theirs.cpuMs).toFixed(2)}`,
    );
  }
});
