import {
  containerWarning,
  heapCritical,
  heapWarning,
  leastHeapSamples,
  leastSamplesNow,
  nowMs,
} from "../thresholds.ts";
import {
  evidenceFigure,
  isStarting,
  judgedSamples,
  lastMeasuredAt,
  measured,
  oneDecimal,
  step,
  type HealthRule,
} from "./rule.ts";

/**
 * The least heap after a collection of the last three hours, against the heap's limit: a young collection leaves
 * garbage of the old generation behind, so only the least figure says what is really used.
 */
export const heapNearFull: HealthRule = (facts) => {
  const samples = judgedSamples(facts, 0).filter(({ at }) => facts.bootAt === null || at >= facts.bootAt);
  const used = measured(samples, "heap_after_gc_mb");
  const limit = measured(samples, "ram_max_mb").at(-1)?.value ?? 0;
  if (used.length < leastHeapSamples || limit <= 0) return null;
  const least = Math.min(...used.map(({ value }) => value));
  const share = least / limit;
  if (share < heapWarning) return null;
  const threshold = share >= heapCritical ? heapCritical : heapWarning;
  const at = lastMeasuredAt(facts, "heap_after_gc_mb");
  return {
    code: "heap_near_full",
    severity: share >= heapCritical ? "critical" : "warning",
    since: null,
    evidence: [
      evidenceFigure("heap_after_gc_share", oneDecimal(share * 100), "percent", threshold * 100, at),
      evidenceFigure("heap_after_gc_mb", least, "mb", null, at),
      evidenceFigure("ram_max_mb", limit, "mb", null, at),
    ],
    next: [step("raise_heap"), step("read_metrics", "get_server_metrics")],
    text: `The heap is ${oneDecimal(share * 100)} % full even after collections: ${least} of ${limit} MB.`,
  };
};

/** The process fills its container: the kernel may kill it. Memory that is touched in advance looks the same. */
export const containerNearLimit: HealthRule = (facts) => {
  if (isStarting(facts)) return null;
  const recent = judgedSamples(facts, facts.to - nowMs).flatMap(
    ({ at, rss_mb: rss, container_limit_mb: limit }) =>
      rss === null || limit === null || limit <= 0 ? [] : [{ at, rss, limit, share: rss / limit }],
  );
  const last = recent.at(-1);
  if (!last || recent.length < leastSamplesNow || recent.some(({ share }) => share < containerWarning))
    return null;
  const wasKilled = facts.events.some(
    ({ type, metadata }) =>
      type === "server_crash" &&
      typeof metadata === "object" &&
      metadata !== null &&
      "out_of_memory" in metadata &&
      metadata.out_of_memory === true,
  );
  const percent = oneDecimal(last.share * 100);
  return {
    code: "container_near_limit",
    severity: wasKilled ? "critical" : "warning",
    since: null,
    evidence: [
      evidenceFigure("container_share", percent, "percent", containerWarning * 100, last.at),
      evidenceFigure("rss_mb", last.rss, "mb", null, last.at),
      evidenceFigure("container_limit_mb", last.limit, "mb", null, last.at),
    ],
    next: [step("ask_host"), step("read_metrics", "get_server_metrics")],
    text: `The process uses ${percent} % of its container's memory: ${last.rss} of ${last.limit} MB.`,
  };
};
