import { beforeAll, expect, it } from "vitest";
import type { MetricSeries } from "../../../src/core/metric/metric-series.ts";
import { seriesFields, type SeriesField } from "../../../src/core/metric/fields.ts";
import { Series } from "../../../src/core/metric/series.ts";
import { inTurns } from "../../../src/core/turns.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { readPoints } from "../../../src/store/metric/series-points.ts";
import { dice } from "../../support/dice.ts";
import { eachDatabase } from "../../support/databases.ts";
import { isLong } from "../../support/long.ts";
import { day, minute, noon, sampleAt, times } from "../engine/rows.ts";
import { drain, old, seriesRows } from "./series-rows.ts";

/** On each database. */
const ranges = isLong ? 10_000 : 150;
const count = 2000;

const random = dice(3);

/** Values as servers send them: some steady, some with decimals, some unknown for a while, some no short decimals. */
const values = (index: number): Record<string, unknown> => ({
  tps: index % 50 === 0 ? 17.31 : 20,
  mspt: Math.round(100 * (15 + 8 * Math.sin(index / 300) + 4 * random())) / 100,
  player_count: Math.floor(index / 700) % 9,
  ram_used_mb: 2000 + ((index * 37) % 4000),
  cpu_usage: index % 600 < 150 ? null : Math.round(1000 * random()) / 10,
  ping_ms: 30 + random() / 3,
  gc_stw_ms: index % 8 === 0 ? Math.round(100 * random()) / 10 : 0,
  worst_tick_ms: 900 < index && index < 1200 ? null : Math.round(random() ** 4 * 1e6) / 10,
});

const exact = ({ columns, summary, ...rest }: MetricSeries) => ({
  ...rest,
  server_id: "",
  times: columns["time"],
  summary: Object.fromEntries(Object.entries(summary).map(([field, each]) => [field, { ...each, avg: 0 }])),
});

/** Sums of the same numbers in another order: their last written place may differ. */
const rounded = ({ columns, summary }: MetricSeries): (number | null)[] => [
  ...Object.entries(columns).flatMap(([name, column]) => (name === "time" ? [] : column.map(Number))),
  ...Object.values(summary).map(({ avg }) => avg),
];

interface Kept {
  readonly db: Database;
  readonly server: string;
}

async function answered(
  { db, server }: Kept,
  [from, to]: readonly [number, number],
  fields: SeriesField[],
  maxPoints: number,
): Promise<MetricSeries> {
  const series = new Series({ serverId: server, period: { range: null, from, to }, fields, maxPoints });
  for await (const chunk of readPoints(db, server, from, to, fields)) series.add(chunk);
  return inTurns(series.answer());
}

eachDatabase((databases, kind) => {
  let asRows: Kept;
  let asBlocks: Kept;
  beforeAll(async () => {
    let at = old + 5 * minute;
    const samples = times(count).map((index) => {
      at += index % 611 === 0 ? 11 * minute : 30_000 + Math.floor(100 * random());
      return sampleAt(at, values(index));
    });
    const kept = async (): Promise<Kept> => {
      const db = await databases.open();
      return { db, server: await seriesRows(db).newOne() };
    };
    const add = async ({ db, server }: Kept, part: typeof samples): Promise<void> => {
      for (let first = 0; first < part.length; first += 1000)
        await seriesRows(db).late(server, part.slice(first, first + 1000));
    };
    [asRows, asBlocks] = [await kept(), await kept()];
    await add(asRows, samples);
    // Every tenth sample comes late, when the others are sealed.
    const isLate = (_: unknown, index: number): boolean => index % 10 === 3;
    await add(
      asBlocks,
      samples.filter((each, index) => !isLate(each, index)),
    );
    expect(await drain(sealSamples(asBlocks.db, noon))).toBe(0.9 * count);
    await add(asBlocks, samples.filter(isLate));
  });

  it(`[OUR-MET-37] answers of blocks are those of rows, for ${ranges} ranges, before and after late samples are merged`, async () => {
    for (let range = 0; range < ranges; range += 1) {
      if (range === ranges / 2) expect(await drain(sealSamples(asBlocks.db, noon))).toBe(0.1 * count);
      const from = Math.floor(old + random() ** 2 * 0.9 * day);
      const period = [from, Math.floor(from + 1 + random() ** 2 * 0.9 * day)] as const;
      const fields = seriesFields.filter(() => random() < 0.2).slice(0, 12);
      if (fields.length === 0) fields.push("mspt");
      const maxPoints = 10 + Math.floor(random() ** 2 * 700);
      const rows = await answered(asRows, period, fields, maxPoints);
      const blocks = await answered(asBlocks, period, fields, maxPoints);
      expect(exact(blocks), `${kind}, from ${from}`).toEqual(exact(rows));
      const [a, b] = [rounded(blocks), rounded(rows)];
      const far = a.filter((value, index) => Math.abs(Number(value) - Number(b[index])) > 0.001 + 1e-9);
      expect(far).toEqual([]);
    }
  }, 3_600_000);
});
