import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../src/contract/call/call.ts";
import { seriesFields, type SeriesField } from "../../src/core/metric/sample.ts";
import { getServerMetrics } from "../../src/endpoints/api/metric/get-server-metrics.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";

const now = Date.UTC(2026, 10, 20, 8);
const day = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "tickmark-series-"));
const path = join(folder, "bench.db");

let service: TestService;
let serverId: string;
let token: string;

/** A value between 0 and 100 with the digits of a measured one; whole where the column holds counts. */
const random = (field: SeriesField): string =>
  /count|chunks|cores|entities|max_mb|rss|limit|over|heap|omitted/.test(field)
    ? "abs(random()) % 100"
    : "(abs(random()) % 1000000) / 10007.0";

function fill(db: Sqlite.Database): void {
  const series = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  db.exec(
    `${series(86_400)} INSERT INTO sample (server_id, sampled_at, received_at, ${seriesFields.join()})
     SELECT '${serverId}', ${now - 30 * day} + i * 30000, 0, ${seriesFields.map(random).join()} FROM n`,
  );
  const parts = seriesFields.flatMap((field) => [
    `${field}_min`,
    `${field}_max`,
    `${field}_sum`,
    `${field}_count`,
  ]);
  const values = seriesFields.flatMap((field) => [
    random(field),
    random(field),
    `10 * ${random(field)}`,
    "10",
  ]);
  db.exec(
    `${series(335 * 288)} INSERT INTO sample_rollup (server_id, bucket_at, ${parts.join()})
     SELECT '${serverId}', ${now - 365 * day} + i * 300000, ${values.join()} FROM n`,
  );
}

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => now, databaseUrl: `sqlite:${path}` });
  const owner = await service.account("enterprise");
  serverId = (await service.server(owner)).id;
  token = await service.token(owner);
  const db = new Sqlite(path);
  fill(db);
  db.close();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

interface Measured {
  readonly ms: number;
  /** The longest time the thread was not given up, ms. */
  readonly stallMs: number;
}

/** Runs work while a turn of the event loop is timed on every turn, and by Node's own histogram. */
async function measured(work: () => Promise<unknown>): Promise<Measured> {
  let [longest, last, running] = [0, performance.now(), true];
  const turn = (): void => {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    if (running) setImmediate(turn);
  };
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  setImmediate(turn);
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  await new Promise(setImmediate);
  running = false;
  histogram.disable();
  return { ms, stallMs: Math.max(longest, histogram.max / 1e6) };
}

setFlagsFromString("--expose-gc");
/** What the run before left behind is not this one's to clear away. */
const collect = runInNewContext("gc") as () => void;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function repeated(name: string, work: () => Promise<unknown>, count = 9): Promise<Measured> {
  await work();
  const runs: Measured[] = [];
  for (let run = 0; run < count; run += 1) {
    collect();
    runs.push(await measured(work));
  }
  const [ms, stallMs] = [median(runs.map((run) => run.ms)), median(runs.map((run) => run.stallMs))];
  const stalls = runs.map((run) => run.stallMs);
  const spread = `best ${Math.min(...stalls).toFixed(1)}, worst ${Math.max(...stalls).toFixed(1)}`;
  console.log(
    `${name.padEnd(46)} ${ms.toFixed(0).padStart(6)} ms   longest stall ${stallMs.toFixed(1).padStart(7)} ms (${spread})`,
  );
  return { ms, stallMs };
}

/** Turns that do nothing, for as long: what other processes of this machine do to every figure here. */
const idle = (ms: number) => async (): Promise<void> => {
  for (const end = performance.now() + ms; performance.now() < end;) await new Promise(setImmediate);
};

async function ask(input: Record<string, unknown>, points: number): Promise<void> {
  const presented = { authorization: `Bearer ${token}`, address: "192.0.2.1" };
  const request = {
    credentials: presented,
    requestId: "r",
    input: () => ({ server_id: serverId, ...input }),
  };
  const outcome = await call(service.app, getServerMetrics, request);
  expect(outcome).toMatchObject({ ok: true, value: { points_total: points } });
  if (outcome.ok) JSON.stringify(outcome.value);
}

/** The baseline: the same rows by the driver alone, all at once, each a row object. */
const rowsAlone = (db: Sqlite.Database, sql: string): (() => Promise<unknown>) => {
  const statement = db.prepare(sql);
  return async () => statement.all(serverId);
};

const compare = (name: string, question: Measured, baseline: Measured): void =>
  console.log(
    `${name}: ${(question.ms / baseline.ms).toFixed(2)} times the baseline's time, ${(question.stallMs / baseline.stallMs).toFixed(3)} of its stall`,
  );

it("30 days of samples, and a year with its roll-ups, beside the same rows read by the driver alone", async () => {
  const db = new Sqlite(path, { readonly: true });
  const six: SeriesField[] = ["tps", "mspt", "worst_tick_ms", "player_count", "ram_used_mb", "cpu_usage"];
  const twelve = seriesFields.slice(0, 12);
  const samples = (fields: readonly SeriesField[]): string =>
    `SELECT sampled_at, ${fields.join()} FROM sample WHERE server_id = ? ORDER BY sampled_at`;
  const rollups = `SELECT bucket_at, ${twelve.flatMap((field) => ["min", "max", "sum", "count"].map((part) => `${field}_${part}`)).join()} FROM sample_rollup WHERE server_id = ? ORDER BY bucket_at`;

  const monthAlone = await repeated(
    "baseline: 86,400 rows, 6 fields, driver",
    rowsAlone(db, samples(six)),
    5,
  );
  const month = await repeated("30d, 6 fields, 500 points", () =>
    ask({ range: "30d", fields: six, max_points: 500 }, 86_400),
  );
  const [a, b] = [rowsAlone(db, samples(twelve)), rowsAlone(db, rollups)];
  const yearAlone = await repeated("baseline: 182,880 rows, 12 fields, driver", async () => [
    await a(),
    await b(),
  ]);
  const year = await repeated("1y, 12 fields, 500 points", () =>
    ask({ range: "1y", fields: twelve, max_points: 500 }, 182_880),
  );
  await repeated("1y, 12 fields, 2,000 points", () =>
    ask({ range: "1y", fields: twelve, max_points: 2000 }, 182_880),
  );
  await repeated("24h, 6 fields, 30 points", () => ask({ range: "24h", fields: six, max_points: 30 }, 2880));
  await repeated("nothing at all, as long as the year", idle(year.ms), 5);
  compare("30d", month, monthAlone);
  compare("1y", year, yearAlone);
  db.close();
});
