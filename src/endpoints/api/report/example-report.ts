import type { Report, ReportDetail } from "../../../core/report/report.ts";
import type { RunSettings } from "../../../core/report/run-settings.ts";
import type { Standing } from "../../../core/report/standing.ts";
import type { UsualScores } from "../../../core/report/usual-scores.ts";

export const exampleReport: Report = {
  id: "019a9f5e-1d00-7000-8000-000000000030",
  short_id: "k7m2q9xwpd4e",
  visibility: "public",
  benchmark_mode: "standard",
  source: "manual",
  server_id: null,
  scores: { total: 1091, single_core: 1000, hardware: 1000, gameplay: 1000 },
  rank_badge: "gold",
  algorithm_version: "1",
  hardware: {
    cpu_name: "Ryzen 7 7700",
    cpu_cores: 8,
    cpu_threads: 16,
    available_processors: 8,
    cpu_frequency_ghz: 3.8,
    ram_gb: 64,
    memory_limit_gb: 10,
    disk_type: "nvme",
  },
  server: {
    type: "paper",
    type_name: "Paper",
    build: "1.21.8-60",
    game_version: "1.21.8",
    plugin_version: "1.10.2",
    is_hybrid: false,
    mod_loader: null,
  },
  certified: false,
  certified_at: null,
  created_at: "2026-11-20T07:12:04.000Z",
  expires_at: null,
  ran_at: "2026-11-20T07:11:52.000Z",
  label: null,
};

export const exampleReportDetail: ReportDetail = {
  ...exampleReport,
  sub_scores: {
    memory: 1000,
    disk: 1000,
    multi_core: 1000,
    exploration: 1000,
    entities: 1000,
    mechanics: 1000,
  },
  multipliers: { synergy_bonus: 1.05, duration: 1, gc: 0.99, stability_bonus: 1.05 },
  os_name: "Debian 13",
  java_version: "21.0.4",
  hosting_tier: null,
  description: "Fresh world, default settings.",
  plugin_count: 24,
  mod_count: 0,
  dispersed_zones: 4,
  conditions: {
    measured_by: "wall_time",
    other_cpu_percent: 1.4,
    cpu_pressure_percent: 0.3,
    busy_tests: [],
  },
};

const place = (faster_than_percent: number) => ({ faster_than_percent, reports: 140 });

export const exampleStanding: Standing = {
  total: place(72),
  single_core: place(68),
  gameplay: place(74),
  hardware: place(71),
  memory: place(66),
  disk: place(75),
  multi_core: place(59),
  exploration: place(70),
  entities: place(77),
  mechanics: place(73),
};

export const exampleUsual: UsualScores = {
  reports: 5,
  from: "2026-10-16T04:31:40.000Z",
  unusual: [{ score: "single_core", usual: 1227, difference_percent: -18.5 }],
};

export const exampleRunSettings: RunSettings = {
  heap_max_mb: 8192,
  heap_initial_mb: 8192,
  jvm_flags: ["-Xms8G", "-Xmx8G", "-XX:+UseG1GC"],
  server_settings: [
    { setting: "view_distance", value: 8 },
    { setting: "simulation_distance", value: 6 },
  ],
};
