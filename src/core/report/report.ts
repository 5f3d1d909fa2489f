import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { callerText, thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";
import { RunConditions } from "./conditions.ts";
import { labelAtMost } from "./report-name.ts";

export const Visibility = z.enum(["public", "unlisted", "private"]);
export type Visibility = z.infer<typeof Visibility>;

export const BenchmarkMode = z.enum(["standard", "stresslimit", "custom"]);
export type BenchmarkMode = z.infer<typeof BenchmarkMode>;

export const ReportSource = z.enum(["manual", "auto_bench"]);
export type ReportSource = z.infer<typeof ReportSource>;

const score = z.number().nullable();
const count = z.int().nullable();
const text = (max: number) => thirdPartyText(max).nullable();

/** A score is 1 or more when measured, 0 when a test it needs was absent, null on a `custom` run. */
export const Scores = z.object({ total: score, single_core: score, hardware: score, gameplay: score });

export const SubScores = z.object({
  memory: score,
  disk: score,
  multi_core: score,
  exploration: score,
  entities: score,
  mechanics: score,
});

/** Factors of the total; null where the run gives no basis for one. */
export const Multipliers = z.object({
  synergy_bonus: score,
  duration: score,
  gc: score,
  stability_bonus: score,
});

export const Hardware = z.object({
  cpu_name: text(120),
  cpu_cores: count,
  cpu_threads: count,
  /** Processors the JVM may use: far fewer than `cpu_cores` marks a throttled host. */
  available_processors: count,
  cpu_frequency_ghz: z.number().nullable(),
  ram_gb: z.number().nullable(),
  memory_limit_gb: z.number().nullable(),
  disk_type: text(32),
});

export const ServerSoftware = z.object({
  type: text(64),
  type_name: text(64),
  build: text(64),
  game_version: text(64),
  plugin_version: text(64),
  is_hybrid: z.boolean().nullable(),
  mod_loader: text(64),
});

/** `server_id` is filled only for the owner of that server. */
export const Report = z.object({
  id: Id,
  short_id: Id,
  visibility: Visibility,
  benchmark_mode: BenchmarkMode,
  source: ReportSource,
  server_id: Id.nullable(),
  scores: Scores,
  rank_badge: z.string().nullable(),
  algorithm_version: z.string().nullable(),
  hardware: Hardware,
  server: ServerSoftware,
  certified: z.boolean(),
  certified_at: Timestamp.nullable(),
  created_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  /** The end of the run, by the server's clock. */
  ran_at: addition(Timestamp),
  /** What its author calls it; null for everybody else. */
  label: addition(callerText(labelAtMost).nullable()),
});
export type Report = z.infer<typeof Report>;

export const ReportDetail = Report.extend({
  sub_scores: SubScores,
  multipliers: Multipliers,
  os_name: text(120),
  java_version: text(120),
  hosting_tier: text(64),
  description: text(4000),
  plugin_count: count,
  mod_count: count,
  dispersed_zones: count,
  /** How the run was measured, and what else the machine did meanwhile; null if the run does not say. */
  conditions: addition(RunConditions.nullable()),
});
export type ReportDetail = z.infer<typeof ReportDetail>;
