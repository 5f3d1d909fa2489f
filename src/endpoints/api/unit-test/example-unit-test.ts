import type { UnitTest, UnitTestDetail } from "../../../core/unit-test/unit-test.ts";

/** The single test the documentation's examples speak of: a ramp of mobs. */
export const exampleUnitTest: UnitTest = {
  id: "019a9f5e-1d00-7000-8000-000000000040",
  short_id: "m4n8r2ttqx7c",
  test_id: "entities_ai",
  test_name: "Mobs",
  display_name: "Mobs until it lags",
  category: "entities",
  sub_category: null,
  benchmark_mode: "tier",
  visibility: "public",
  source: "manual",
  success: true,
  outcome: "success",
  reason_code: null,
  duration_ms: 390_000,
  server_id: null,
  parent_report_id: null,
  tps: { avg: 19.8, min: 16.1, max: 20 },
  mspt: { avg: 41.3, min: 22.8, max: 88.6 },
  server: { type: "paper", type_name: "Paper", game_version: "1.21.8", plugin_version: "1.10.2" },
  provider: "Foundry Hosting",
  test_timestamp: "2026-11-20T07:12:03.000Z",
  created_at: "2026-11-20T07:12:04.000Z",
  expires_at: null,
};

const rung = {
  rung: 1,
  load: 100,
  unit: "entities",
  duration_ms: 20_000,
  ticks: 400,
  tps_avg: 20,
  mspt_avg: 12.1,
  mspt_p95: 19,
  mspt_max: 41.2,
  passed: true,
  stop_reason: null,
};

export const exampleUnitTestDetail: UnitTestDetail = {
  ...exampleUnitTest,
  percentiles: { mspt_p95: 47.9 },
  metrics: { entity_count: 125 },
  parameters: { start: 100 },
  flags: null,
  stress_result: {
    unit: "entities",
    first_load: 100,
    last_passing_load: 100,
    breaking_load: 125,
    rungs: 2,
    stop_reason: "mspt_exceeded",
  },
  stress_progression: [
    rung,
    { ...rung, rung: 2, load: 125, mspt_p95: 61.8, passed: false, stop_reason: "mspt_exceeded" },
  ],
  hardware: {
    cpu_name: "Ryzen 7 7700",
    cpu_cores: 8,
    cpu_threads: 16,
    available_processors: 8,
    ram_gb: 64,
    memory_limit_gb: 10,
  },
  os_name: "Debian 13",
  java_version: "21.0.4",
  description: "Default settings.",
};
