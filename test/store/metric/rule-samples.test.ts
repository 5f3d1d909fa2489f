import { PerformanceObserver, performance, type PerformanceEntry } from "node:perf_hooks";
import { expect, it } from "vitest";
import { RulePreview } from "../../../src/core/alert/preview.ts";
import { readRuleSamples } from "../../../src/store/metric/rule-samples.ts";
import { eachDatabase, type DatabaseKind } from "../../support/databases.ts";
import { openRaw } from "../engine/raw-database.ts";
import { newAccount, newServer, noon } from "../engine/rows.ts";

/** Thirty days of samples every 30 s. */
const count = 86_400;
const end = noon + count * 30_000;
const inFiles: readonly DatabaseKind[] = ["SQLite in a file", "PostgreSQL"];
/** How long the thread may be kept from anybody else, ms. */
const mostTurnMs = 20;

const rule = {
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 5,
  cooldownMinutes: 30,
} as const;
const long = '"worlds_top":[{"name":"world","players":9,"entities":900,"chunks":4000}],"region_source":null';

/** Ten bad minutes every hour, and every fourth hour a pause with nobody on. */
const filled = (server: string, samples = count): string => {
  const paused = "i % 480 >= 360";
  const tps = `CASE WHEN ${paused} THEN NULL WHEN i % 120 < 20 THEN 12.5 ELSE 19.9 END`;
  const detail = `'{"paused_empty":' || CASE WHEN ${paused} THEN 'true' ELSE 'false' END || ',${long}}'`;
  return `INSERT INTO sample (server_id, sampled_at, received_at, tps, detail)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${samples - 1})
    SELECT '${server}', ${noon} + i * CAST(30000 AS BIGINT), ${noon} + i * CAST(30000 AS BIGINT) + 150, ${tps}, ${detail} FROM n`;
};

/**
 * What one turn of the event loop took of the processor at most while `work` was done, ms; waiting costs nothing. Turns
 * in which garbage was collected are left out: the collector's threads count too, and clear up after all tests. Where
 * those are half of the turns or more, the others show too little: infinite.
 */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const turns: { readonly from: number; readonly to: number; readonly ms: number }[] = [];
  let isRunning = true;
  let from = performance.now();
  let last = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(last);
    const to = performance.now();
    const ms = (user + system) / 1000;
    if (ms > 1) turns.push({ from, to, ms });
    [from, last] = [to, process.cpuUsage()];
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isRunning = false;
  // The observer is told in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 5));
  observer.disconnect();
  const undisturbed = turns.filter(
    (each) =>
      !collections.some(({ startTime, duration }) => startTime < each.to && startTime + duration > each.from),
  );
  if (undisturbed.length <= turns.length / 2) return Infinity;
  return Math.max(...undisturbed.map(({ ms }) => ms));
}

eachDatabase((databases, kind) => {
  it("[OUR-ALR-94] 30 days of samples are read and replayed while others get the thread", async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const server = (await newServer(db, await newAccount(db))).server.id;
    const raw = await openRaw(url);
    await raw.run(filled(server));
    await raw.close();
    const turns: number[] = [];
    const times: number[] = [];
    // Once more where something else on this machine disturbed all runs so far, five times at most.
    for (let run = 0; run < 5 && Math.min(...turns) > mostTurnMs; run += 1) {
      const preview = new RulePreview({ rule, from: noon, to: end, maintenance: [] });
      const start = performance.now();
      turns.push(
        await longestTurn(async () => {
          for await (const samples of readRuleSamples(db, server, "tps", noon, end)) preview.add(samples);
        }),
      );
      times.push(performance.now() - start);
      // Three quarters of 720 hours begin with ten bad minutes; a pause of an hour ends nothing that is over.
      expect(preview.outcome()).toMatchObject({ samples: count, lateSamples: 0, episodesTotal: 540 });
    }
    const shown = (values: readonly number[]): string => values.map((ms) => ms.toFixed(1)).join(", ");
    console.log(`${kind}: ${shown(times)} ms in all, longest turns ${shown(turns)} ms`);
    expect(Math.min(...turns)).toBeLessThanOrEqual(mostTurnMs);
  });

  it("[OUR-ALR-94] a part ends among samples or after a day, and none is read twice", async () => {
    const url = await databases.url();
    const db = await databases.open(url);
    const server = (await newServer(db, await newAccount(db))).server.id;
    const raw = await openRaw(url);
    await raw.run(filled(server, 4 * 2880));
    await raw.close();
    const lengths: number[] = [];
    const seen = new Set<number>();
    let paused = 0;
    for await (const samples of readRuleSamples(db, server, "tps", noon + 30_000, noon + 3 * 86_400_000)) {
      lengths.push(samples.length);
      for (const { sampledAt, pausedEmpty, value } of samples) {
        seen.add(sampledAt);
        expect(pausedEmpty).toBe(value === null);
        paused += Number(pausedEmpty);
      }
    }
    expect([Math.max(...lengths), seen.size, paused]).toEqual([1000, 3 * 2880 - 1, 18 * 120]);
    const offline: (number | null)[] = [];
    for await (const samples of readRuleSamples(db, server, null, noon, noon + 90_000))
      offline.push(...samples.map(({ value, pausedEmpty }) => (pausedEmpty ? 1 : value)));
    expect(offline).toEqual([null, null, null]);
  });
}, inFiles);
