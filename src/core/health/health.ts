import { z } from "zod";
import { Id } from "../id.ts";
import { ownerLength } from "../profile/document.ts";
import { WrittenSetting } from "../software/known-settings.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";

/** Worst first, except for `stopped`, which is no fault. */
export const healthVerdicts = ["down", "critical", "degraded", "unknown", "healthy", "stopped"] as const;
export const HealthVerdict = z.enum(healthVerdicts);
export type HealthVerdict = z.infer<typeof HealthVerdict>;

export const FindingSeverity = z.enum(["critical", "warning", "info"]);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

/** By rank: within one severity an earlier code comes first. */
export const findingCodes = [
  "server_down",
  "server_unresponsive",
  "crash_loop",
  "crashed",
  "tick_over_budget",
  "disk_nearly_full",
  "heap_near_full",
  "container_near_limit",
  "memory_growing",
  "cpu_throttled",
  "machine_saturated",
  "noisy_machine",
  "gc_heavy",
  "slower_than_usual",
  "tick_spikes",
  "plugin_heavy",
  "plugin_grew",
  "more_than_usual",
  "benchmark_regression",
  "nobody_told",
  "in_app_only",
  "data_missing",
  "alert_open",
  "no_alert_rules",
] as const;
export const FindingCode = z.enum(findingCodes);
export type FindingCode = z.infer<typeof FindingCode>;

/** The codes without a finding: the server is fine, or cannot be judged. */
export const HeadlineCode = z.enum([
  ...findingCodes,
  "healthy",
  "paused_empty",
  "stopped",
  "paused",
  "starting",
  "never_seen",
  "not_monitored",
  "no_data",
]);
export type HeadlineCode = z.infer<typeof HeadlineCode>;

/** `threshold` is null if the figure was compared with none. */
export const HealthEvidence = z.object({
  key: z.string(),
  value: z.number(),
  unit: z.enum(["ms", "tps", "percent", "mb", "count", "seconds", "minutes", "hours"]),
  threshold: z.number().nullable(),
  measured_at: Timestamp,
});
export type HealthEvidence = z.infer<typeof HealthEvidence>;

export const changeKinds = [
  "plugin_updated",
  "plugin_added",
  "plugin_removed",
  "server_updated",
  "java_changed",
  "software_changed",
  "setting_changed",
  "restart",
  "world_generation",
  "backup",
  "maintenance",
  "crash",
] as const;
export const ChangeKind = z.enum(changeKinds);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** A maintenance window has no `subject`. */
const changed = {
  kind: ChangeKind,
  at: Timestamp,
  /** The plugin, mod, setting or part of the server, else the title of the entry. */
  subject: thirdPartyText(500).nullable(),
  /** Versions or values; null if there is none, or the entry does not say. */
  from: WrittenSetting.nullable(),
  to: WrittenSetting.nullable(),
};

export const HealthChange = z.object({ ...changed, event_id: Id });
export type HealthChange = z.infer<typeof HealthChange>;

/** A change near the start of a finding; it is not called the cause. */
export const Coincidence = z.object({
  ...changed,
  /** Minutes from the change to the start of the finding; negative if the change came later. */
  minutes_before: z.number(),
});

export const NextStep = z.object({
  action: z.enum([
    "read_events",
    "start_server",
    "capture_profile",
    "compare_profiles",
    "read_profile",
    "raise_heap",
    "free_disk",
    "read_metrics",
    "read_memory_reports",
    "ask_host",
    "read_regression",
    "check_notifications",
    "check_agent",
    "read_alerts",
    "add_alert_rule",
  ]),
  tool: z.string().nullable(),
  /** Arguments of the tool; empty without a tool. */
  arguments: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** A page of the dashboard; null if there is a tool. */
  page: z.string().nullable(),
});
export type NextStep = z.infer<typeof NextStep>;

/** A longer name is cut. */
export const longestSuspect = 64;

export const HealthFinding = z.object({
  code: FindingCode,
  severity: FindingSeverity,
  /** The plugin that the finding is about; null if it is about none. */
  subject: thirdPartyText(ownerLength).nullable(),
  suspects: z
    .array(thirdPartyText(longestSuspect))
    .describe("Mods and plugins that the report of the newest crash suspects; empty without one."),
  /** Null for a finding without a beginning, and where it is not known. */
  since: Timestamp.nullable(),
  since_is_at_least: z
    .boolean()
    .describe("True where it held in all of the period or of the data: since is null."),
  intermittent: z.boolean().describe("True where it came back: since is its first start."),
  held_by: z
    .enum(["median"])
    .nullable()
    .describe(
      "median: below the 98th percentile by now, and held by its median, whose limit is the threshold.",
    ),
  until: Timestamp.nullable().describe(
    "Of a period that is over, when the finding ended after it; null while it holds, and where nobody knows.",
  ),
  evidence: z.array(HealthEvidence),
  coincides_with: z.array(Coincidence),
  next: z.array(NextStep),
});
export type HealthFinding = z.infer<typeof HealthFinding>;

export const Availability = z.object({
  /** Up among up and down, %; null if both are 0. */
  percent: z.number().nullable(),
  up_seconds: z.int(),
  down_seconds: z.int(),
  stopped_seconds: z.int(),
  maintenance_seconds: z.int(),
  unmonitored_seconds: z.int(),
  incidents: z.int(),
});
export type Availability = z.infer<typeof Availability>;

export const NotMeasured = z.object({
  field: z.enum(["tps", "mspt", "heap_after_gc_mb", "gc_stw_ms", "cpu_system", "rss_mb", "usual_mspt"]),
  reason: z.enum(["not_sent", "sent_before", "baseline_too_short"]),
  /** How to get it measured; null if there is no simple way. */
  how: z.enum(["enable_rcon", "enable_gc_log", "run_as_server_user"]).nullable(),
  /** From when it is measured if data keeps coming; null if unknown. */
  available_from: Timestamp.nullable(),
});
export type NotMeasured = z.infer<typeof NotMeasured>;

export const ServerHealth = z.object({
  server_id: Id,
  health_version: z.string(),
  period: z.object({ from: Timestamp, to: Timestamp }),
  verdict: HealthVerdict,
  headline: z.object({ code: HeadlineCode, text: z.string() }),
  /** Start of the verdict's unbroken stretch; null if it is not known. */
  since: Timestamp.nullable(),
  findings: z.array(HealthFinding),
  more_findings: z.int(),
  /** Newest first. */
  changes: z.array(HealthChange),
  availability: Availability,
  not_measured: z.array(NotMeasured),
  urls: z.object({ server: z.string() }),
});
export type ServerHealth = z.infer<typeof ServerHealth>;
