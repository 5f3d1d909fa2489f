import type { PeriodComparison } from "../../../core/metric/period-comparison.ts";

const serverId = "019a9f5e-1d00-7000-8000-000000000010";

const output: PeriodComparison = {
  server_id: serverId,
  rule_version: "2",
  base: {
    from: "2026-11-06T00:00:00.000Z",
    to: "2026-11-13T00:00:00.000Z",
    points: 20_160,
    peak_hour: 19,
  },
  target: {
    from: "2026-11-13T00:00:00.000Z",
    to: "2026-11-20T00:00:00.000Z",
    points: 20_148,
    peak_hour: 19,
  },
  fields: [
    {
      field: "mspt",
      unit: "ms",
      verdict: "worse",
      reason: null,
      base: { days: 7, median: 18.42 },
      target: { days: 7, median: 24.967 },
      load_adjusted: true,
      days_compared: { base: 7, target: 7 },
      bands_compared: ["0", "1-4", "5-9", "10-19"],
      shift: 6.113,
      shift_percent: 33.187,
      shift_unadjusted: 6.508,
      interval: [4.871, 7.302],
      confidence_percent: 99.2,
      noise: 1.216,
      tie_band: 1.248,
      preliminary: null,
      hours: {
        base: [
          15, 14, 13, 13, 12, 12, 13, 13, 14, 15, 16, 17, 18, 18, 19, 20, 22, 24, 26, 27, 26, 24, 20, 17,
        ],
        target: [
          20, 19, 19, 18, 18, 18, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 30, 33, 34, 33, 30, 26, 23,
        ],
      },
      bands: [
        { band: "0", base: { days: 7, median: 12.911 }, target: { days: 7, median: 18.403 } },
        { band: "1-4", base: { days: 7, median: 15.287 }, target: { days: 7, median: 21.12 } },
        { band: "5-9", base: { days: 7, median: 20.74 }, target: { days: 7, median: 26.988 } },
        { band: "10-19", base: { days: 6, median: 27.115 }, target: { days: 4, median: 33.902 } },
      ],
    },
  ],
  capacity: {
    base: {
      field: "mspt",
      limits: [
        { mspt_ms: 40, reached: "beyond", players: null, low: 13, high: null },
        { mspt_ms: 50, reached: "beyond", players: null, low: 13, high: null },
      ],
      bands: [
        { band: "0", days: 7, players: 0, mspt: 12.911 },
        { band: "1-4", days: 7, players: 2.6, mspt: 15.287 },
        { band: "5-9", days: 7, players: 7.1, mspt: 20.74 },
        { band: "10-19", days: 6, players: 13, mspt: 27.115 },
      ],
      missing: null,
    },
    target: {
      field: "mspt",
      limits: [
        { mspt_ms: 40, reached: "at_least", players: 13, low: 13, high: null },
        { mspt_ms: 50, reached: "at_least", players: 13, low: 13, high: null },
      ],
      bands: [
        { band: "0", days: 7, players: 0, mspt: 18.403 },
        { band: "1-4", days: 7, players: 2.7, mspt: 21.12 },
      ],
      missing: { code: "too_few_bands", bands_needed: 3, days_needed: 5 },
    },
  },
  caveats: [],
  thresholds: {
    days_per_side: 5,
    buckets_per_day: 48,
    buckets_per_band: 6,
    days_per_band: 3,
    confidence_percent: 99,
    preliminary_hours: 2,
    preliminary_confidence_percent: 98,
    assumed_day_noise_percent: 10,
    assumed_hour_noise_percent: 10,
    noise_days: 5,
  },
};

/** Ticks began to take longer this week, with as many players as in the week before. */
export const examplePeriods = {
  input: {
    server_id: serverId,
    base: "previous" as const,
    target_from: "2026-11-13",
    target_to: "2026-11-20",
    fields: ["mspt" as const],
  },
  output,
};
