import { timelineAt } from "../../event/server-event.ts";
import { hourMs } from "../../time.ts";
import { gcCritical, gcInfo, gcWarning, machineBusy, othersUse, throttledMs } from "../thresholds.ts";
import {
  evidenceFigure,
  heldSince,
  isStarting,
  judgedSamples,
  lastMeasuredAt,
  measured,
  medianNow,
  oneDecimal,
  step,
  type HealthRule,
} from "./rule.ts";

/** The host's quota stops the server's threads. */
export const cpuThrottled: HealthRule = ({ events, to }) => {
  const seen = events.filter(
    (event) => event.type === "cpu_throttled" && timelineAt(event) > to - throttledMs,
  );
  const [newest, oldest] = [seen[0], seen.at(-1)];
  if (!newest || !oldest) return null;
  return {
    code: "cpu_throttled",
    severity: "warning",
    since: timelineAt(oldest),
    evidence: [evidenceFigure("throttling_events", seen.length, "count", 1, timelineAt(newest))],
    next: [step("ask_host"), step("read_events", "list_server_events")],
    text: "The host's processor quota stops the server.",
  };
};

/** The whole machine is busy; where other programs use much of it, it is a noisy machine. */
export const machineSaturated: HealthRule = (facts) => {
  const system = medianNow(facts, "cpu_system");
  if (system === null || system < machineBusy) return null;
  const own = medianNow(facts, "cpu_usage");
  const others = own === null ? null : system - own;
  const isNoisy = others !== null && others >= othersUse;
  const at = lastMeasuredAt(facts, "cpu_system");
  const figures = [evidenceFigure("cpu_system_median", oneDecimal(system), "percent", machineBusy, at)];
  if (others !== null)
    figures.push(
      evidenceFigure("used_by_others", oneDecimal(others), "percent", isNoisy ? othersUse : null, at),
    );
  return {
    code: isNoisy ? "noisy_machine" : "machine_saturated",
    severity: "info",
    raisesTo: "warning",
    since: heldSince(facts, "cpu_system", (value) => value >= machineBusy),
    evidence: figures,
    next: [step("ask_host"), step("read_metrics", "get_server_metrics")],
    text: isNoisy
      ? `Other programs use ${oneDecimal(others)} % of the machine, which is ${oneDecimal(system)} % busy.`
      : `The machine is ${oneDecimal(system)} % busy.`,
  };
};

/** The time that the game stood still for garbage collections, of the last hour that was measured. */
export const gcHeavy: HealthRule = (facts) => {
  if (isStarting(facts)) return null;
  const pauses = measured(judgedSamples(facts, facts.to - hourMs), "gc_stw_ms");
  const [first, last] = [pauses[0], pauses.at(-1)];
  if (!first || !last || pauses.length < 2) return null;
  // The first sample's pauses lie before it.
  const paused = pauses.slice(1).reduce((sum, { value }) => sum + value, 0);
  const percent = (paused / (last.at - first.at)) * 100;
  if (percent < gcInfo) return null;
  const severity = percent >= gcCritical ? "critical" : percent >= gcWarning ? "warning" : "info";
  const threshold = { critical: gcCritical, warning: gcWarning, info: gcInfo }[severity];
  return {
    code: "gc_heavy",
    severity,
    ...(severity === "info" && { raisesTo: "warning" as const }),
    since: null,
    evidence: [evidenceFigure("gc_pause_share", oneDecimal(percent), "percent", threshold, last.at)],
    next: [step("raise_heap"), step("read_metrics", "get_server_metrics")],
    text: `Garbage collections stopped the game for ${oneDecimal(percent)} % of the last hour.`,
  };
};
