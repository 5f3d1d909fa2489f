import type {
  Availability,
  ChangeKind,
  FindingCode,
  HealthEvidence,
  HealthVerdict,
  NextStep,
  NotMeasured,
} from "../../core/health/health.ts";
import type { Meaning } from "../parts/state.tsx";

/** Every verdict with its colour and shape. The word is the verdict itself. */
export const verdictMeanings: Readonly<Record<HealthVerdict, Meaning>> = {
  down: "bad",
  critical: "bad",
  degraded: "watch",
  unknown: "unknown",
  healthy: "good",
  stopped: "silenced",
};

/** The name of each finding, as a short sentence. */
export const healthFindingNames: Readonly<Record<FindingCode, string>> = {
  server_down: "The server sends nothing",
  server_unresponsive: "The main thread does not tick",
  crash_loop: "The server crashes again and again",
  crashed: "The server crashed",
  tick_over_budget: "Ticks take too long",
  heap_near_full: "The heap is nearly full after garbage collections",
  container_near_limit: "The container's memory is nearly used up",
  memory_growing: "The heap grows and will be full",
  cpu_throttled: "The processor time of the container is throttled",
  machine_saturated: "The machine's processors are busy",
  noisy_machine: "Other programs use the machine's processors",
  gc_heavy: "Garbage collection stops the game often",
  slower_than_usual: "Ticks take longer than usual",
  tick_spikes: "Single ticks take very long",
  plugin_heavy: "One plugin takes much of the tick time",
  plugin_grew: "One plugin takes more of the tick time than before",
  more_than_usual: "The worlds hold more than usual",
  benchmark_regression: "Scheduled benchmarks score lower than before",
  nobody_told: "No e-mail or chat message of an open alert went out",
  data_missing: "Measurements are missing",
  alert_open: "An alert is open",
  no_alert_rules: "No alert rule watches this server",
};

/** The name of each kind of change. */
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

/** The name of each field that rules need most. */
export const unmeasuredNames: Readonly<Record<NotMeasured["field"], string>> = {
  tps: "TPS",
  mspt: "MSPT",
  heap_after_gc_mb: "Heap after a garbage collection",
  gc_stw_ms: "Pause time of garbage collection",
  cpu_system: "CPU of the machine",
  rss_mb: "Memory of the process",
  usual_mspt: "What ticks usually take",
};

/** Why a field is not measured, as the end of a sentence that begins with its name. */
export const unmeasuredReasons: Readonly<Record<NotMeasured["reason"], string>> = {
  not_sent: "is not sent by this server",
  sent_before: "was measured last week, and is not now",
  baseline_too_short: "is not known yet, because too few days were measured",
};

/** What makes a field measured. */
export const unmeasuredRemedies: Readonly<Record<NonNullable<NotMeasured["how"]>, string>> = {
  enable_rcon: "Enable RCON in server.properties, restart the server, and run tickmark agent check.",
  enable_gc_log: "Start the server with a GC log (-Xlog:gc*), and run tickmark agent check.",
  run_as_server_user: "Run the agent as the user of the server, and run tickmark agent check.",
};

/** The unit behind a figure of evidence; empty where it is counted. */
export const evidenceUnits: Readonly<Record<HealthEvidence["unit"], string>> = {
  ms: "ms",
  tps: "TPS",
  percent: "%",
  mb: "MB",
  count: "",
  minutes: "min",
  hours: "h",
};

/** A next step in words, and the page of it; null where it is done outside this dashboard. */
interface StepWords {
  readonly text: string;
  readonly page: ((serverId: string) => string) | null;
}

const onServer =
  (rest: string) =>
  (id: string): string =>
    `/servers/${id}${rest}`;

export const stepWords: Readonly<Record<NextStep["action"], StepWords>> = {
  read_events: { text: "Read the timeline", page: onServer("#timeline") },
  start_server: { text: "Start the server on its machine", page: null },
  capture_profile: { text: "Capture a profile", page: onServer("/profiles") },
  compare_profiles: { text: "Compare two profiles", page: onServer("/profiles") },
  read_profile: { text: "Read the newest profile", page: onServer("/profiles") },
  raise_heap: { text: "Give the JVM a larger heap (-Xmx)", page: null },
  read_metrics: { text: "Look at the charts", page: onServer("#charts") },
  read_memory_reports: { text: "Read what fills the heap", page: onServer("/memory-reports") },
  ask_host: { text: "Ask the host of the machine", page: null },
  read_regression: { text: "Read the verdict on the benchmarks", page: onServer("#regression") },
  check_notifications: { text: "Check where messages go", page: () => "/settings/notifications" },
  check_agent: { text: "Check the agent or plugin, and its output", page: null },
  read_alerts: { text: "Read the alerts", page: () => "/alerts" },
  add_alert_rule: { text: "Add an alert rule", page: onServer("/rules") },
};

/** The parts of a period, in the order in which they are shown. */
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

/** The name of a figure of evidence, such as `MSPT median` for `mspt_median`. */
export function evidenceName(key: string): string {
  const words = key
    .replace(/_(mb|ms)$/, "")
    .split("_")
    .map((word) => abbreviations[word] ?? word)
    .join(" ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const abbreviations: Readonly<Record<string, string>> = {
  mspt: "MSPT",
  tps: "TPS",
  cpu: "CPU",
  gc: "GC",
  ram: "memory",
  rss: "process memory",
};
