import { shownMemory } from "../../text/memory.ts";
import { shownTime } from "../../text/plain-words.ts";
import { hourMs } from "../../time.ts";
import { lowMs } from "../field-low.ts";
import { leastObservedMs, memoryGrowth } from "../memory-growth.ts";
import { readMemoryReportsStep, readMetricsStep, raiseHeapStep } from "../next-steps.ts";
import { heapCritical, startingMs } from "../thresholds.ts";
import { evidenceFigure, lastMeasuredAt, type HealthRule } from "./rule.ts";

export const memoryGrowing: HealthRule = (facts) => {
  const { bootAt, to, maintenance, heapLows } = facts;
  if (bootAt === null || to - bootAt < leastObservedMs) return null;
  const limit = facts.samples.newest("ram_max_mb")?.value ?? 0;
  const lows = heapLows.filter(
    ({ at }) =>
      at >= bootAt && !maintenance.some(({ startedAt, endsAt }) => startedAt < at + lowMs && endsAt > at),
  );
  const growth = memoryGrowth(lows, limit);
  if (growth === null || growth.fullAt <= to) return null;
  const { measuredAt } = growth;
  const [perDay, least] = [Math.round(growth.perDay), Math.round(growth.leastPerDay)];
  const hours = Math.ceil((growth.fullAt - to) / hourMs);
  // The first six hours of a boot that count begin within six hours of it.
  const isOfBoot = growth.since - bootAt <= lowMs + startingMs;
  return {
    code: "memory_growing",
    severity: "warning",
    since: isOfBoot ? bootAt : growth.since,
    sinceIsAtLeast: !isOfBoot,
    evidence: [
      evidenceFigure("hours_until_heap_near_full", hours, "hours", growth.mostMs / hourMs, measuredAt),
      evidenceFigure("heap_growth_mb_per_day", perDay, "mb", 0, measuredAt),
      evidenceFigure("least_heap_growth_mb_per_day", least, "mb", 0, measuredAt),
      evidenceFigure("heap_floor_mb", growth.floorMb, "mb", heapCritical * limit, measuredAt),
      evidenceFigure("ram_max_mb", limit, "mb", null, lastMeasuredAt(facts, "ram_max_mb")),
    ],
    next: [
      readMemoryReportsStep(facts),
      readMetricsStep(facts, "heap_after_gc_mb", "ram_max_mb", "player_count"),
      raiseHeapStep(),
    ],
    text: `The heap grows by ${shownMemory(perDay)} a day, and is 90 % full at about ${shownTime(growth.fullAt)} if it goes on.`,
  };
};
