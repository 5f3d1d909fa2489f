import { expect, it } from "vitest";
import { seriesFields } from "../../../src/core/metric/fields.ts";
import { unitOf } from "../../../src/core/metric/series-field.ts";
import { exampleMetrics } from "../../../src/endpoints/api/metric/example-metrics.ts";
import { glyphs } from "../../../src/mcp/result/chart/glyphs.ts";
import { seriesChart } from "../../../src/mcp/result/chart/series-chart.ts";
import { clockText, dayText, shortValue, timeTicks, valueAxis } from "../../../src/mcp/result/chart/ticks.ts";
import { hourMs } from "../../support/clock.ts";

it("[OUR-MET-16] has a glyph for every letter it may write", () => {
  const months = Array.from({ length: 12 }, (_, month) => dayText(Date.UTC(2026, month, 5)));
  const values = [0, 0.25, 19.98, 12_345, 1e12, 250_000_000, 99.95].map(shortValue);
  const words =
    "min avg max sum per bucket no values no data min to max samples every s min h days buckets of stored points UTC TPS ms MB %";
  const all = [
    ...seriesFields,
    ...seriesFields.map(unitOf),
    ...months,
    clockText(0),
    ...values,
    words,
    "–·:.,-",
  ].join("");
  const missing = [...new Set(all)].filter((letter) => letter !== " " && !(letter in glyphs));
  expect(missing).toEqual([]);
});

it("[OUR-MET-16] draws an answer without any point, and one whose values are all alike", () => {
  const { output } = exampleMetrics;
  const nothing = {
    ...output,
    points_total: 0,
    points_returned: 0,
    reduced: false,
    bucket_seconds: null,
    columns: { time: [], tps: [], worst_tick_ms: [] },
    columns_min: null,
    columns_max: null,
    summary: Object.fromEntries(
      output.fields.map((field) => [
        field,
        { min: null, max: null, avg: null, p5: null, p95: null, count: 0 },
      ]),
    ),
    gaps: [{ from: output.from, to: output.to, seconds: 3600 }],
  };
  const zero = {
    ...output,
    fields: ["lag_seconds"],
    columns: { ...output.columns, lag_seconds: [0, 0, 0, 0, 0] },
  };
  for (const answer of [output, nothing, { ...zero, aggregation: { lag_seconds: "sum" }, summary: {} }]) {
    const svg = seriesChart(answer);
    expect(svg).not.toMatch(/NaN|Infinity|undefined|<text/);
    expect(svg).toContain("</svg>");
  }
  expect(() => seriesChart({ ...output, columns: "none" })).toThrow();
});

it("[OUR-MET-16] marks round times and values", () => {
  const at = Date.UTC(2026, 10, 20, 8);
  expect(timeTicks(at - 24 * hourMs, at).map(({ text }) => text)).toEqual([
    "09:00",
    "12:00",
    "15:00",
    "18:00",
    "21:00",
    "20 Nov",
    "03:00",
    "06:00",
  ]);
  for (const days of [1 / 24, 1, 3, 7, 14, 30, 90, 180, 365]) {
    const ticks = timeTicks(at - days * 24 * hourMs, at);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(10);
  }
  expect(valueAxis(0, 60).marks).toEqual([0, 20, 40, 60]);
  expect(valueAxis(15, 20).marks).toEqual([14, 16, 18, 20]);
  expect(valueAxis(0, 0)).toMatchObject({ low: 0 });
});
