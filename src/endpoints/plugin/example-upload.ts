/** A small upload: one measured test of a run without scores. */
export const exampleUpload = {
  schema: "service-benchmark-report/1" as const,
  local_id: "bench-2026-11-20_07-12-03",
  plugin_version: "1.10.2",
  benchmark_mode: "custom" as const,
  started_at: "2026-11-20T07:02:10.000Z",
  finished_at: "2026-11-20T07:12:03.000Z",
  server: { type: "paper", game_version: "1.21.8", java_version: "21.0.4" },
  hardware: { cpu_name: "Ryzen 7 7700", cpu_cores: 8, cpu_threads: 16, available_processors: 8 },
  tests: [
    {
      test_id: "cpu_single_core",
      test_name: "Single core",
      category: "cpu",
      benchmark_mode: "standard" as const,
      outcome: "success" as const,
      success: true,
      duration_ms: 20113,
      metrics: { ops_per_second: 1000000 },
    },
  ],
};
