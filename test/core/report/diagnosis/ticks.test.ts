import { describe, expect, it } from "vitest";
import { findingsIn } from "../../../../src/core/report/diagnosis/diagnosis.ts";
import type { DiagnosisFinding } from "../../../../src/core/report/diagnosis/finding.ts";
import { acceptedPayload, type Json, type TestChanges } from "../../../support/payload.ts";

const find = (code: string, overrides: Json, tests: TestChanges = {}): DiagnosisFinding | null =>
  findingsIn(acceptedPayload(overrides, tests)).find((finding) => finding.code === code) ?? null;
const verdict = (code: string, overrides: Json, tests: TestChanges = {}): string | null => {
  const found = find(code, overrides, tests);
  return found && `${found.severity} ${found.cause ?? "-"}`;
};
const keys = (finding: DiagnosisFinding | null): string[] | undefined =>
  finding?.evidence.map(({ key, value, unit }) => `${key} ${value} ${unit ?? "-"}`);

const slow: Json = { ticks: { mspt: { avg: 50, p95: 60, p99: 70, max: 80 } } };
/** Worst ticks ten times the mean, with idle garbage collection and nothing else known. */
const spiky = (mspt: Json = {}, gc: Json = {}, host: Json = {}, ticks: Json = {}): Json => ({
  ticks: {
    mspt: { avg: 20, p50: 18, p95: 30, p99: 60, max: 200, ...mspt },
    spike_wall_ms: null,
    spike_cpu_ms: null,
    ...ticks,
  },
  gc: { pause_max_ms: 60, pause_total_ms: 3000, ...gc },
  host: { steal_percent_max: 0, throttled_periods: 0, total_periods: 1000, ...host },
});

describe("single_core_saturated", () => {
  it.each([
    [{ avg: 39.9, p95: 60 }, null],
    [{ avg: 40, p95: 49.9 }, null],
    [{ avg: 40, p95: 50 }, "warning single_core"],
    [{ avg: 49.9, p95: 50 }, "warning single_core"],
    [{ avg: 50, p95: 50 }, "critical single_core"],
    [{ avg: 50, p95: null }, "critical single_core"],
    [{ avg: 45, p95: null }, null],
    [{ avg: null, p95: 90 }, null],
  ])("[DIA-10] [OUR-DIA-12] at %o: %s", (mspt, expected) => {
    const ticks = { mspt: { p50: null, p99: null, max: null, ...mspt } };
    expect(verdict("single_core_saturated", { ticks })).toBe(expected);
  });

  it.each([
    [{ throttled_periods: 100, steal_percent_avg: 50 }, 60_000, "cpu_quota"],
    [{ throttled_periods: 99, steal_percent_avg: 10 }, 60_000, "noisy_neighbour"],
    [{ throttled_periods: 99, steal_percent_avg: 9.9 }, 60_000, "gc_pause"],
    [{ throttled_periods: 99, steal_percent_avg: 9.9 }, 59_999, "single_core"],
    [{ throttled_periods: null, steal_percent_avg: null }, null, "single_core"],
  ])("[OUR-DIA-12] with %o and %s ms of pauses the cause is %s", (host, pause_total_ms, cause) => {
    const overrides = { ...slow, host: { total_periods: 1000, ...host }, gc: { pause_total_ms } };
    expect(find("single_core_saturated", overrides)?.cause).toBe(cause);
  });

  it("[OUR-DIA-12] tells the ticks and their budget", () => {
    expect(keys(find("single_core_saturated", slow))).toEqual([
      "mspt_avg 50 ms",
      "mspt_p95 60 ms",
      "tick_budget_ms 50 ms",
    ]);
  });

  it("[OUR-DIA-10] takes 600 ticks", () => {
    const mspt = { avg: 50, p95: 60, p99: 70, max: 80 };
    expect(verdict("single_core_saturated", { ticks: { mspt, count: 599 } })).toBeNull();
    expect(verdict("single_core_saturated", { ticks: { mspt, count: 600 } })).not.toBeNull();
    expect(verdict("single_core_saturated", { ticks: { mspt, count: null } })).toBeNull();
  });
});

describe("tick_spikes", () => {
  it.each([
    [{ max: 99.9 }, null],
    [{ max: 100 }, "warning -"],
    [{ avg: 25, max: 100 }, "warning -"],
    [{ avg: 25.1, max: 100 }, null],
    [{ p99: 49.9 }, "info -"],
    [{ p99: 50 }, "warning -"],
    [{ p99: 99.9 }, "warning -"],
    [{ p99: 100 }, "critical -"],
    [{ p99: null }, "warning -"],
    [{ p99: 40, max: 999.9 }, "info -"],
    [{ p99: 40, max: 1000 }, "critical -"],
    [{ avg: null }, null],
    [{ max: null }, null],
  ])("[DIA-13] [OUR-DIA-13] at %o: %s", (mspt, expected) => {
    // A pause that is neither idle nor of the spikes' order.
    const pause = { pause_max_ms: 30, pause_total_ms: 9000 };
    expect(verdict("tick_spikes", spiky(mspt, pause))).toBe(expected);
  });

  it("[OUR-DIA-13] tells the ticks and the ratio", () => {
    expect(keys(find("tick_spikes", spiky({ p99: null })))).toEqual([
      "mspt_max 200 ms",
      "mspt_avg 20 ms",
      "threshold_ratio 4 ratio",
    ]);
  });
});

describe("tick_spikes_from_gc", () => {
  it.each([
    [99.9, null],
    [100, "warning gc_pause"],
    [null, null],
  ])("[DIA-13] [OUR-DIA-14] with a pause of %s ms in a tick of 200 ms: %s", (pause_max_ms, expected) => {
    expect(verdict("tick_spikes_from_gc", spiky({}, { pause_max_ms }))).toBe(expected);
    expect(find("tick_spikes", spiky({}, { pause_max_ms }))?.cause).toBe(expected && "gc_pause");
  });

  it("[OUR-DIA-14] is as severe as the spikes, a warning at least, and tells the pauses", () => {
    const gc = { pause_max_ms: 150 };
    expect(verdict("tick_spikes", spiky({ p99: 40 }, gc))).toBe("info gc_pause");
    expect(verdict("tick_spikes_from_gc", spiky({ p99: 40 }, gc))).toBe("warning gc_pause");
    expect(verdict("tick_spikes_from_gc", spiky({ p99: 150 }, gc))).toBe("critical gc_pause");
    expect(keys(find("tick_spikes_from_gc", spiky({}, gc)))).toEqual([
      "gc_pause_max_ms 150 ms",
      "mspt_max 200 ms",
      "gc_pause_total_ms 3000 ms",
      "gc_pauses 300 count",
    ]);
    expect(find("tick_spikes_from_gc", { gc: { pause_max_ms: 5000 } })).toBeNull();
  });
});

describe("tick_spikes_off_cpu", () => {
  const idle = { pause_max_ms: 20, pause_total_ms: 5999 };
  const cpu = (spike_cpu_ms: number | null, spike_wall_ms: number | null = 400) => ({
    spike_cpu_ms,
    spike_wall_ms,
  });

  it.each([
    [idle, cpu(200), "warning -"],
    [idle, cpu(200.1), null],
    [{ ...idle, pause_max_ms: 20.1 }, cpu(200), null],
    [{ ...idle, pause_total_ms: 6000 }, cpu(200), null],
    [{ ...idle, pause_max_ms: null }, cpu(200), null],
    [{ ...idle, pause_total_ms: null }, cpu(200), null],
    [idle, cpu(null), null],
    [idle, cpu(0, null), null],
    [idle, cpu(0, 0), null],
  ])("[DIA-13] [OUR-DIA-15] with %o and %o: %s", (gc, spikes, expected) => {
    expect(verdict("tick_spikes_off_cpu", spiky({}, gc, {}, spikes))).toBe(expected);
  });

  it.each([
    [{ steal_percent_max: 10 }, "warning noisy_neighbour"],
    [{ steal_percent_max: 9.9 }, null],
    [{ throttled_periods: 100 }, "warning cpu_quota"],
    [{ throttled_periods: 99 }, null],
    [{ throttled_periods: 100, steal_percent_max: 10 }, "warning cpu_quota"],
    [{ throttled_periods: null, steal_percent_max: null }, null],
  ])("[OUR-DIA-15] when CPU time is not reported, by %o: %s", (host, expected) => {
    expect(verdict("tick_spikes_off_cpu", spiky({}, idle, host))).toBe(expected);
  });

  it("[OUR-DIA-15] reported CPU time settles it against stolen time", () => {
    expect(verdict("tick_spikes_off_cpu", spiky({}, idle, { steal_percent_max: 90 }, cpu(390)))).toBeNull();
  });

  it("[OUR-DIA-15] names a slow disk when nothing else took the time", () => {
    const slowDisk = { disk_random_4k: { metrics: { write_p99_ms: 51 } } };
    const overrides = spiky({}, idle, {}, cpu(10));
    expect(verdict("tick_spikes_off_cpu", overrides, slowDisk)).toBe("warning disk_latency");
    expect(find("tick_spikes", overrides, slowDisk)?.cause).toBe("disk_latency");
    const cached = { disk_random_4k: { metrics: { write_p99_ms: 51, direct_io: false } } };
    expect(verdict("tick_spikes_off_cpu", overrides, cached)).toBe("warning -");
  });

  it("[OUR-DIA-15] tells what it looked at, and leaves out what is unknown", () => {
    const overrides = spiky({}, idle, { steal_percent_max: 12, throttled_periods: null });
    expect(keys(find("tick_spikes_off_cpu", overrides))).toEqual([
      "gc_pause_max_ms 20 ms",
      "mspt_max 200 ms",
      "steal_percent_max 12 percent",
      "total_periods 1000 periods",
    ]);
  });
});

describe("tps_floor", () => {
  it.each([
    [18, 15.9, "warning -"],
    [17.9, 15.9, null],
    [18, 16, null],
    [19, 10, "warning -"],
    [19, 9.9, "critical -"],
    [null, 5, null],
    [19, null, null],
  ])("[DIA-13] [OUR-DIA-16] at %s on average and %s at worst: %s", (avg, min, expected) => {
    expect(verdict("tps_floor", { ticks: { tps: { avg, min } } })).toBe(expected);
  });

  it("[OUR-DIA-16] has the cause of the spikes, and tells the threshold", () => {
    const run = spiky({}, { pause_max_ms: 150 }, {}, { tps: { avg: 19, min: 12 } });
    const found = find("tps_floor", run);
    expect(found?.cause).toBe("gc_pause");
    expect(keys(found)).toEqual(["tps_avg 19 tps", "tps_min 12 tps", "threshold_tps 16 tps"]);
  });

  it("[OUR-DIA-01] R5 and R6: late ticks alone are no finding", () => {
    expect(
      findingsIn(acceptedPayload({ ticks: { count: 6000, duration_seconds: 300, over_50ms: 600 } })),
    ).toEqual([]);
    expect(findingsIn(acceptedPayload({ ticks: { count: 9000, over_50ms: 900 } }))).toEqual([]);
  });
});
