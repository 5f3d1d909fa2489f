import type { HealthFacts } from "./facts.ts";
import type { NotMeasured } from "./health.ts";
import { isTicking } from "./rules/rule.ts";

/** The fields that rules need most, in the order of the answer. */
const needed = ["tps", "mspt", "heap_after_gc_mb", "gc_stw_ms", "cpu_system", "rss_mb"] as const;

/** An agent reads these through RCON alone. */
const throughRcon = new Set<string>(["tps", "mspt"]);

/** Fields that no sample of the last three hours has, with what makes them measured. */
export function notMeasuredOf(facts: HealthFacts): NotMeasured[] {
  if (!isTicking(facts) || facts.samples.length === 0) return [];
  return needed
    .filter((field) => facts.samples.every((sample) => sample[field] === null))
    .map((field) => ({
      field,
      reason: facts.measuredBefore.has(field) ? "sent_before" : "not_sent",
      how: facts.sender === "agent" && throughRcon.has(field) ? "enable_rcon" : null,
    }));
}
