import { toTimestampOrNull } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { HealthField } from "./health-fields.ts";
import type { NotMeasured } from "./health.ts";
import { isTicking, watchedSamples } from "./rules/rule.ts";

type Needed = NotMeasured["field"] & HealthField;

/** In the order of the answer, with the agent's setting that sends each; null if no setting does. */
const needed: readonly (readonly [Needed, NotMeasured["how"]])[] = [
  ["tps", "enable_rcon"],
  ["mspt", "enable_rcon"],
  ["heap_after_gc_mb", "enable_gc_log"],
  ["gc_stw_ms", "enable_gc_log"],
  ["cpu_system", null],
  ["rss_mb", "run_as_server_user"],
];

/** Fields without a sample in the last three hours, and `usual_mspt` without a baseline. */
export function notMeasuredOf(facts: HealthFacts): NotMeasured[] {
  const samples = watchedSamples(facts);
  if (!isTicking(facts) || samples.length === 0) return [];
  const isMissing = (field: HealthField): boolean => !samples.has(field);
  // An agent that cannot see the process cannot read its GC log either.
  const seesProcess = !isMissing("rss_mb");
  const howOf = (how: NotMeasured["how"]): NotMeasured["how"] => {
    if (facts.sender !== "agent") return null;
    return how === "enable_gc_log" && !seesProcess ? "run_as_server_user" : how;
  };
  const missing: NotMeasured[] = needed
    .filter(([field]) => isMissing(field))
    .map(([field, how]) => ({
      field,
      reason: facts.measuredBefore.has(field) ? "sent_before" : "not_sent",
      how: howOf(how),
      available_from: null,
    }));
  const { baseline } = facts.usual;
  const ticks = samples.has("mspt") || samples.has("mspt_region_avg");
  if (!ticks || (baseline !== null && baseline.bands.length > 0)) return missing;
  const available_from = toTimestampOrNull(baseline?.enoughOn ?? null);
  return [...missing, { field: "usual_mspt", reason: "baseline_too_short", how: null, available_from }];
}
