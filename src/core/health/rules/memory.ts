import { shownMemory } from "../../text/memory.ts";
import { timelineAt } from "../../event/server-event.ts";
import type { HealthSamples } from "../health-samples.ts";
import { askHostStep, raiseHeapStep, readMemoryReportsStep, readMetricsStep } from "../next-steps.ts";
import {
  containerWarning,
  heapCritical,
  heapWarning,
  leastHeapSamples,
  leastSamplesNow,
  nowMs,
  watchedMs,
} from "../thresholds.ts";
import {
  evidenceFigure,
  heldSince,
  isStarting,
  judgedSamples,
  lastMeasuredAt,
  oneDecimal,
  type HealthRule,
} from "./rule.ts";

/**
 * Compares the least heap of three hours with the limit: a young collection leaves garbage of the old
 * generation, so only the least figure shows what is really used.
 */
export const heapNearFull: HealthRule = (facts) => {
  const bootAt = facts.bootAt ?? 0;
  const samples = judgedSamples(facts, Math.max(bootAt, facts.to - watchedMs));
  const low = samples.least("heap_after_gc_mb");
  const limit = samples.newest("ram_max_mb")?.value ?? 0;
  if (low === null || samples.values("heap_after_gc_mb").length < leastHeapSamples || limit <= 0) return null;
  const { at, value: least } = low;
  const share = least / limit;
  if (share < heapWarning) return null;
  const threshold = share >= heapCritical ? heapCritical : heapWarning;
  const holds = (stretch: HealthSamples): boolean | null => {
    const values = stretch.values("heap_after_gc_mb");
    return values.length === 0 ? null : Math.min(...values) >= threshold * limit;
  };
  return {
    code: "heap_near_full",
    severity: share >= heapCritical ? "critical" : "warning",
    ...heldSince(facts, holds, { from: bootAt }),
    evidence: [
      evidenceFigure("heap_after_gc_share", oneDecimal(share * 100), "percent", threshold * 100, at),
      evidenceFigure("heap_after_gc_mb", least, "mb", null, at),
      evidenceFigure("ram_max_mb", limit, "mb", null, lastMeasuredAt(facts, "ram_max_mb")),
    ],
    next: [
      raiseHeapStep(),
      readMetricsStep(facts, "heap_after_gc_mb", "ram_used_mb", "ram_max_mb"),
      readMemoryReportsStep(facts),
    ],
    text: `The heap is ${oneDecimal(share * 100)} % full even after collections: ${shownMemory(least)} of ${shownMemory(limit)}.`,
  };
};

/** The kernel compares its own count with the limit; agents and plugins that send none know the process only. */
function containerShares(samples: HealthSamples) {
  const limits = samples.column("container_limit_mb");
  const counted = samples.column("container_used_mb");
  const resident = samples.column("rss_mb");
  return Array.from(limits).flatMap((limit, index) => {
    const isCounted = !Number.isNaN(counted[index] ?? Number.NaN);
    const used = (isCounted ? counted : resident)[index] ?? Number.NaN;
    const field = isCounted ? ("container_used_mb" as const) : ("rss_mb" as const);
    return limit > 0 && !Number.isNaN(used)
      ? [{ at: samples.at(index) ?? 0, field, used, limit, share: used / limit }]
      : [];
  });
}

/** The kernel may kill a process that fills its container, or slow it down. Pre-touched memory looks the same. */
export const containerNearLimit: HealthRule = (facts) => {
  if (isStarting(facts)) return null;
  const recent = containerShares(judgedSamples(facts, facts.to - nowMs));
  const last = recent.at(-1);
  if (!last || recent.length < leastSamplesNow || recent.some(({ share }) => share < containerWarning))
    return null;
  const wasKilled = facts.events.some(
    (event) =>
      event.type === "server_crash" &&
      timelineAt(event) >= facts.from &&
      typeof event.metadata === "object" &&
      event.metadata !== null &&
      "out_of_memory" in event.metadata &&
      event.metadata.out_of_memory === true,
  );
  const percent = oneDecimal(last.share * 100);
  const holds = (samples: HealthSamples): boolean | null => {
    const shares = containerShares(samples);
    return shares.length === 0 ? null : shares.every(({ share }) => share >= containerWarning);
  };
  return {
    code: "container_near_limit",
    severity: wasKilled ? "critical" : "warning",
    ...heldSince(facts, holds),
    evidence: [
      evidenceFigure("container_share", percent, "percent", containerWarning * 100, last.at),
      evidenceFigure(last.field, last.used, "mb", null, last.at),
      evidenceFigure("container_limit_mb", last.limit, "mb", null, last.at),
    ],
    next: [askHostStep(facts), readMetricsStep(facts, last.field, "container_limit_mb", "ram_max_mb")],
    text: `The ${last.field === "rss_mb" ? "process uses" : "container has used"} ${percent} % of ${last.field === "rss_mb" ? "its container's" : "its"} memory: ${shownMemory(last.used)} of ${shownMemory(last.limit)}.`,
  };
};
