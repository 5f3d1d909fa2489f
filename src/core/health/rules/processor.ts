import { timelineAt, type EventRecord } from "../../event/server-event.ts";
import { hourMs } from "../../time.ts";
import type { HealthSamples } from "../health-samples.ts";
import { askHostStep, raiseHeapStep, readEventsStep, readMetricsStep } from "../next-steps.ts";
import {
  gcCritical,
  gcInfo,
  gcWarning,
  machineBusy,
  othersUse,
  throttledCritical,
  throttledGapMs,
  leastSamplesNow,
} from "../thresholds.ts";
import {
  evidenceFigure,
  heldSince,
  isStarting,
  judgedSamples,
  lastMeasuredAt,
  mediansHeldSince,
  medianNow,
  newestEpisode,
  oneDecimal,
  overHours,
  type HealthRule,
} from "./rule.ts";

/** Share of throttled time slices in an event, %; null if the event has none. */
function throttledShare({ metadata }: EventRecord): number | null {
  if (typeof metadata !== "object" || metadata === null) return null;
  const share = "throttled_periods_percent" in metadata ? metadata.throttled_periods_percent : null;
  return typeof share === "number" && share >= 0 && share <= 100 ? share : null;
}

export const cpuThrottled: HealthRule = (facts) => {
  const { events, eventsFrom, to } = facts;
  const throttled = events.filter(({ type }) => type === "cpu_throttled");
  const times = throttled.map(timelineAt).toSorted((a, b) => a - b);
  const episode = newestEpisode(times, throttledGapMs, eventsFrom);
  const newestAt = times.at(-1);
  if (episode === null || newestAt === undefined || newestAt <= to - throttledGapMs) return null;
  const shares = throttled.flatMap((event) => {
    const [share, at] = [throttledShare(event), timelineAt(event)];
    return share === null || at <= to - throttledGapMs ? [] : [{ share, at }];
  });
  const worst = shares.toSorted((one, other) => other.share - one.share)[0] ?? null;
  const isCritical = worst !== null && worst.share >= throttledCritical;
  const figures = [
    evidenceFigure("throttling_events", episode.count, "count", 1, newestAt),
    ...overHours(episode, newestAt),
  ];
  if (worst !== null)
    figures.unshift(
      evidenceFigure("throttled_share", oneDecimal(worst.share), "percent", throttledCritical, worst.at),
    );
  return {
    code: "cpu_throttled",
    severity: isCritical ? "critical" : "warning",
    since: episode.since,
    sinceIsAtLeast: episode.sinceIsAtLeast,
    evidence: figures,
    next: [askHostStep(facts), readEventsStep(facts, "cpu_throttled")],
    text:
      worst === null
        ? "The host's processor quota stops the server."
        : `The host's processor quota stops the server in up to ${oneDecimal(worst.share)} % of its time slices.`,
  };
};

/** `noisy_machine` if other programs use much of the busy machine. */
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
    ...mediansHeldSince(facts, "cpu_system", (value) => value >= machineBusy),
    evidence: figures,
    next: [askHostStep(facts), readMetricsStep(facts, "cpu_system", "cpu_usage", "mspt")],
    text: isNoisy
      ? `Other programs use ${oneDecimal(others)} % of the machine, which is ${oneDecimal(system)} % busy.`
      : `The machine is ${oneDecimal(system)} % busy.`,
  };
};

/** Pauses for collections, % of the measured time; null with less than 10 samples. */
function pauseShare(samples: HealthSamples): number | null {
  const pauses = samples.measured("gc_stw_ms");
  const [first, last] = [pauses[0], pauses.at(-1)];
  if (!first || !last || pauses.length < leastSamplesNow) return null;
  // The first sample's pauses lie before its time.
  const paused = pauses.slice(1).reduce((sum, { value }) => sum + value, 0);
  return (paused / (last.at - first.at)) * 100;
}

export const gcHeavy: HealthRule = (facts) => {
  if (isStarting(facts)) return null;
  const percent = pauseShare(judgedSamples(facts, facts.to - hourMs));
  if (percent === null || percent < gcInfo) return null;
  const severity = percent >= gcCritical ? "critical" : percent >= gcWarning ? "warning" : "info";
  const threshold = { critical: gcCritical, warning: gcWarning, info: gcInfo }[severity];
  const holds = (samples: HealthSamples): boolean | null => {
    const share = pauseShare(samples);
    return share === null ? null : share >= threshold;
  };
  return {
    code: "gc_heavy",
    severity,
    ...(severity === "info" && { raisesTo: "warning" as const }),
    ...heldSince(facts, holds, { lengthMs: hourMs }),
    evidence: [
      evidenceFigure(
        "gc_pause_share",
        oneDecimal(percent),
        "percent",
        threshold,
        lastMeasuredAt(facts, "gc_stw_ms"),
      ),
    ],
    next: [raiseHeapStep(), readMetricsStep(facts, "gc_stw_ms", "heap_after_gc_mb", "ram_max_mb")],
    text: `Garbage collections stopped the game for ${oneDecimal(percent)} % of the last hour.`,
  };
};
