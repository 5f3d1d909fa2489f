import type { MetricSeries } from "../../../core/metric/metric-series.ts";

const serverId = "019a9f5e-1d00-7000-8000-000000000010";

const output: MetricSeries = {
  server_id: serverId,
  range: "1h",
  from: "2026-11-20T06:30:00.000Z",
  to: "2026-11-20T07:30:00.000Z",
  resolution_seconds: 30,
  fields: ["tps", "worst_tick_ms"],
  points_total: 79,
  points_returned: 5,
  reduced: true,
  bucket_seconds: 600,
  aggregation: { tps: "avg", worst_tick_ms: "max" },
  columns: {
    time: [
      "2026-11-20T06:30:00.000Z",
      "2026-11-20T06:40:00.000Z",
      "2026-11-20T07:00:00.000Z",
      "2026-11-20T07:10:00.000Z",
      "2026-11-20T07:20:00.000Z",
    ],
    tps: [19.984, 18.21, 19.4, 19.972, 19.99],
    worst_tick_ms: [88.2, 412.7, 151.3, 96.4, 90.1],
  },
  columns_min: { tps: [19.7, 12.2, 17.1, 19.6, 19.8], worst_tick_ms: [31, 54.9, 44.2, 30.8, 31.5] },
  columns_max: { tps: [20, 20, 20, 20, 20], worst_tick_ms: [88.2, 412.7, 151.3, 96.4, 90.1] },
  summary: {
    tps: { min: 12.2, max: 20, avg: 19.69, p5: 17.1, p95: 20, count: 79 },
    worst_tick_ms: { min: 30.8, max: 412.7, avg: 71.326, p5: 31.5, p95: 151.3, count: 79 },
  },
  gaps: [{ from: "2026-11-20T06:44:30.000Z", to: "2026-11-20T07:05:30.000Z", seconds: 1260 }],
  imported: [],
};

/** An hour in which the server was restarted. */
export const exampleMetrics = {
  input: {
    server_id: serverId,
    range: "1h" as const,
    fields: ["tps" as const, "worst_tick_ms" as const],
    max_points: 10,
  },
  output,
};
