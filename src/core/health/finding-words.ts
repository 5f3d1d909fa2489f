import type { FindingCode, NextStep } from "./health.ts";

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

/** Each next step, as a request to the owner. */
export const stepTexts: Readonly<Record<NextStep["action"], string>> = {
  read_events: "Read the timeline",
  start_server: "Start the server on its machine",
  capture_profile: "Capture a profile",
  compare_profiles: "Compare two profiles",
  read_profile: "Read the newest profile",
  raise_heap: "Give the JVM a larger heap (-Xmx)",
  read_metrics: "Look at the charts",
  read_memory_reports: "Read what fills the heap",
  ask_host: "Ask the host of the machine",
  read_regression: "Read the verdict on the benchmarks",
  check_notifications: "Check where messages go",
  check_agent: "Check the agent or plugin, and its output",
  read_alerts: "Read the alerts",
  add_alert_rule: "Add an alert rule",
};
