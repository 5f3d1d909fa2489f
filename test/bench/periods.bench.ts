import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteConnection } from "../../src/store/engine/sqlite-library.ts";
import { expect, it } from "vitest";
import { call } from "../../src/contract/call/call.ts";
import { fieldsToRead, periodComparison } from "../../src/core/metric/compare-periods.ts";
import { ChunkColumn, valuesAlone } from "../../src/core/metric/chunk-column.ts";
import { PeriodBuckets } from "../../src/core/metric/period-buckets.ts";
import { comparePeriods } from "../../src/endpoints/api/metric/compare-periods.ts";
import { sealSamples } from "../../src/services/metric/seal-samples.ts";
import { dice } from "../support/dice.ts";
import { dayMs, periodRates, start } from "../support/period-rates.ts";
import { roomyPlans, startTestService } from "../support/service.ts";

const fields = ["tps", "mspt", "worst_tick_ms", "player_count", "ram_used_mb", "cpu_usage"] as const;

/** The processor's time of this process so far, ms: other processes of this machine do not count into it. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs something eleven times; the median of the processor's time, and of the longest step where it has steps, ms. */
async function processorMs(work: () => Promise<number>): Promise<string> {
  const runs: { readonly ms: number; readonly longest: number }[] = [];
  for (let run = 0; run < 11; run += 1) {
    const before = process.cpuUsage();
    const longest = await work();
    const { user, system } = process.cpuUsage(before);
    runs.push({ ms: (user + system) / 1000, longest });
  }
  const median = (of: (run: (typeof runs)[number]) => number): string =>
    (runs.map(of).toSorted((a, b) => a - b)[5] ?? 0).toFixed(1);
  return `${median(({ ms }) => ms)} ms of the processor, the longest step ${median(({ longest }) => longest)} ms`;
}

/** A period of 30-second samples, in chunks as the store gives them. */
function gathered(from: number, days: number): PeriodBuckets {
  const buckets = new PeriodBuckets(from, from + days * dayMs, fieldsToRead([...fields]));
  const random = dice(days);
  for (let at = from; at < buckets.to; at += 1000 * 30_000) {
    const times = Float64Array.from({ length: 1000 }, (_, index) => at + index * 30_000);
    const columns = buckets.fields.map(() => {
      return new ChunkColumn(valuesAlone(times.map(() => random() * 30)));
    });
    chunks.push({ buckets, times, columns });
  }
  return buckets;
}
type Chunk = Parameters<PeriodBuckets["add"]>[0] & { readonly buckets: PeriodBuckets };
const chunks: Chunk[] = [];

it("30 + 30 days of 30-second samples, six fields, gathered and compared", async () => {
  const text = await processorMs(async () => {
    chunks.length = 0;
    const [base, target] = [gathered(start, 30), gathered(start + 30 * dayMs, 30)];
    const before = process.cpuUsage();
    let longest = 0;
    let last = processorTime();
    const step = (): void => {
      const now = processorTime();
      longest = Math.max(longest, now - last);
      last = now;
    };
    for (const { buckets, times, columns } of chunks) {
      buckets.add({ times, columns });
      step();
    }
    for (const _ of periodComparison("s", fields, base, target)) step();
    step();
    const { user, system } = process.cpuUsage(before);
    totals.push((user + system) / 1000);
    return longest;
  });
  console.log(`with making the samples: ${text}`);
  console.log(`alone: ${(totals.toSorted((a, b) => a - b)[5] ?? 0).toFixed(1)} ms of the processor`);
});
const totals: number[] = [];

it("the endpoint on SQLite: 7 and 30 days of samples against as many before, as rows and in blocks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tickmark-periods-"));
  const path = join(folder, "bench.db");
  const now = Date.UTC(2026, 10, 20);
  const service = await startTestService({
    plans: roomyPlans,
    clock: () => now,
    databaseUrl: `sqlite:${path}`,
  });
  const owner = await service.account("enterprise");
  const { id } = await service.server(owner);
  const token = await service.token(owner);
  const db = openSqliteConnection(path);
  db.exec(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${60 * 2880 - 1})
     INSERT INTO sample (server_id, sampled_at, received_at, ${fields.join()})
     SELECT '${id}', ${now - 60 * dayMs} + i * 30000, 0, ${fields.map(() => "abs(random()) % 30").join()} FROM n`,
  );
  db.close();
  const ask = async (days: number): Promise<number> => {
    let [longest, last, running] = [0, processorTime(), true];
    const turn = (): void => {
      const at = processorTime();
      longest = Math.max(longest, at - last);
      last = at;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const credentials = { authorization: `Bearer ${token}`, address: "192.0.2.1" };
    const input = () => ({ server_id: id, target_from: `-${days}d`, fields: [...fields] });
    const outcome = await call(service.app, comparePeriods, { credentials, requestId: "r", input });
    running = false;
    expect(outcome.ok).toBe(true);
    return longest;
  };
  for (const days of [7, 30])
    console.log(`${days} + ${days} days of samples: ${await processorMs(() => ask(days))}`);
  for await (const moved of sealSamples(service.app.db, now)) expect(moved).toBeGreaterThan(0);
  for (const days of [7, 30])
    console.log(`${days} + ${days} days of samples in blocks: ${await processorMs(() => ask(days))}`);
  await service.close();
  rmSync(folder, { recursive: true });
});

it("how often a comparison errs and finds, 1,000 trials a cell", () => {
  const cells = [
    { day: 0.05, correlation: 0 },
    { day: 0.1, correlation: 0 },
    { day: 0.2, correlation: 0 },
    { day: 0.1, correlation: 0.5 },
    { day: 0.1, correlation: 0, players: 1.5 },
  ];
  for (const noise of cells)
    for (const days of [7, 14])
      for (const factor of [1, 1.1, 1.2, 1.5])
        console.log(
          `${JSON.stringify(noise)}, ${days} days, ${factor}: ${JSON.stringify(periodRates(noise, days, factor, 1000))}`,
        );
  expect(cells).toHaveLength(5);
});
