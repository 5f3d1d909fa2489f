import { sampleFields } from "../../core/metric/fields.ts";
import type {
  Availability,
  ChangeKind,
  FindingCode,
  HealthEvidence,
  HealthVerdict,
  NextStep,
  NotMeasured,
} from "../../core/health/health.ts";
import { healthFindingNames, stepTexts } from "../../core/health/finding-words.ts";
import { nothingWrong, stateHeadline } from "../../core/health/headline.ts";
import { startingText } from "../../core/health/stored-headline.ts";
import type { HealthSummary } from "../../core/health/health-summary.ts";
import { nowWords } from "../../core/health/rules/rule.ts";
import { decidingWords } from "../../core/health/unusual-level.ts";
import type { ServerStatus } from "../../core/server/status.ts";
import type { Instant } from "../../core/time.ts";
import type { Meaning } from "../parts/state.tsx";
import { capitalised } from "./capitalised.ts";

/** The word for a verdict is the verdict itself. */
export const verdictMeanings: Readonly<Record<HealthVerdict, Meaning>> = {
  down: "bad",
  critical: "bad",
  degraded: "watch",
  unknown: "unknown",
  healthy: "good",
  stopped: "silenced",
};

export const severityMeanings = { critical: "bad", warning: "watch" } as const;

/** One sentence: the worst finding, or else what the state says. */
export function verdictReason(
  {
    health: { verdict, reasons, judged_at },
    state,
    current,
  }: Pick<ServerStatus, "state" | "current"> & { readonly health: HealthSummary },
  now: Instant,
): string {
  const [worst, ...others] = reasons;
  if (worst !== undefined)
    return `${healthFindingNames[worst]}${others.length > 0 ? `, and ${others.length} more` : ""}.`;
  if (state !== "running") return stateHeadline(state, null).text;
  if (verdict === "healthy") return nothingWrong.text;
  if (judged_at !== null) return startingText(Date.parse(judged_at), now);
  return current !== null && current.tps === null && current.mspt === null
    ? "Neither TPS nor MSPT is measured."
    : "There are too few measurements of the last 15 minutes.";
}

export const changeNames: Readonly<Record<ChangeKind, string>> = {
  plugin_updated: "Plugin or mod updated",
  plugin_added: "Plugin or mod added",
  plugin_removed: "Plugin or mod removed",
  server_updated: "Server software changed",
  java_changed: "Java changed",
  software_changed: "Software changed",
  setting_changed: "Setting changed",
  restart: "Restart",
  world_generation: "World generation",
  backup: "Backup",
  maintenance: "Maintenance",
  crash: "Crash",
};

export const unmeasuredName = (field: NotMeasured["field"]): string =>
  field === "usual_mspt" ? "What ticks usually take" : sampleFields[field].name;

/** The end of a sentence that begins with the field's name. */
export const unmeasuredReasons: Readonly<Record<NotMeasured["reason"], string>> = {
  not_sent: "is not sent by this server",
  sent_before: "was measured last week, and is not now",
  baseline_too_short: "is not known yet, because too few days were measured",
};

export const unmeasuredRemedies: Readonly<Record<NonNullable<NotMeasured["how"]>, string>> = {
  enable_rcon: "Enable RCON in server.properties, restart the server, and run tickmark agent check.",
  enable_gc_log: "Start the server with a GC log (-Xlog:gc*), and run tickmark agent check.",
  run_as_server_user: "Run the agent as the user of the server, and run tickmark agent check.",
};

/** Empty for a count. */
export const evidenceUnits: Readonly<Record<HealthEvidence["unit"], string>> = {
  ms: "ms",
  tps: "TPS",
  percent: "%",
  mb: "MB",
  count: "",
  seconds: "s",
  minutes: "min",
  hours: "h",
};

/** `page` is null if the step is not done in the dashboard. */
interface StepWords {
  readonly text: string;
  readonly page: ((serverId: string) => string) | null;
}

const onServer =
  (rest: string) =>
  (id: string): string =>
    `/servers/${id}${rest}`;

export const stepWords: Readonly<Record<NextStep["action"], StepWords>> = {
  read_events: { text: stepTexts.read_events, page: onServer("/timeline") },
  start_server: { text: stepTexts.start_server, page: null },
  capture_profile: { text: stepTexts.capture_profile, page: onServer("/profiles") },
  compare_profiles: { text: stepTexts.compare_profiles, page: onServer("/profiles") },
  read_profile: { text: stepTexts.read_profile, page: onServer("/profiles") },
  raise_heap: { text: stepTexts.raise_heap, page: null },
  free_disk: { text: stepTexts.free_disk, page: null },
  read_metrics: { text: stepTexts.read_metrics, page: onServer("/charts") },
  read_memory_reports: { text: stepTexts.read_memory_reports, page: onServer("/memory-reports") },
  ask_host: { text: stepTexts.ask_host, page: null },
  read_regression: { text: stepTexts.read_regression, page: onServer("/charts#regression") },
  check_notifications: { text: stepTexts.check_notifications, page: () => "/settings/notifications" },
  check_agent: { text: stepTexts.check_agent, page: null },
  read_alerts: { text: stepTexts.read_alerts, page: () => "/alerts" },
  add_alert_rule: { text: stepTexts.add_alert_rule, page: onServer("/rules") },
};

/** In the order in which they are shown. */
export const availabilityParts: readonly (readonly [
  part: Extract<keyof Availability, `${string}_seconds`>,
  name: string,
  means: Meaning,
])[] = [
  ["up_seconds", "up", "good"],
  ["down_seconds", "down", "bad"],
  ["maintenance_seconds", "in maintenance", "silenced"],
  ["stopped_seconds", "stopped", "watch"],
  ["unmonitored_seconds", "not monitored", "unknown"],
];

/** The windows of medians, by finding; those of `usual_…` are of the days before. */
const windows: Readonly<Partial<Record<FindingCode, string>>> = {
  tick_over_budget: nowWords,
  machine_saturated: nowWords,
  noisy_machine: nowWords,
  slower_than_usual: decidingWords,
  more_than_usual: decidingWords,
};

/** `mspt_median` becomes `MSPT, median of 15 min`. */
export function evidenceName(key: string, code: FindingCode): string {
  const window = windows[code];
  if (window !== undefined && key.endsWith("_median") && !key.startsWith("usual_"))
    return `${evidenceWords(key.replace(/_median$/, ""))}, ${window}`;
  return evidenceWords(key);
}

function evidenceWords(key: string): string {
  const words = key
    .replace(/_(mb|ms|hours)$/, "")
    .split("_")
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return capitalised(words);
}

const abbreviations: Readonly<Record<string, string>> = {
  mspt: "MSPT",
  tps: "TPS",
  cpu: "CPU",
  gc: "GC",
  ram: "memory",
  rss: "process memory",
};
