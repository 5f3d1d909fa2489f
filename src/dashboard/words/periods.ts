import type { FieldComparison, PeriodCapacity, PeriodCaveat } from "../../core/metric/period-comparison.ts";
import { sampleFields, type SeriesField } from "../../core/metric/fields.ts";

/** In the order of the table. */
export const comparedFields = [
  "tps",
  "mspt",
  "mspt_region_avg",
  "mspt_p95",
  "worst_tick_ms",
  "player_count",
  "cpu_usage",
  "cpu_system",
  "heap_after_gc_mb",
  "gc_stw_ms",
  "entity_count",
  "loaded_chunks",
] as const satisfies readonly SeriesField[];

export const comparedName = (field: SeriesField): string => sampleFields[field].name;

type PeriodWord = FieldComparison["verdict"];

/** About the later period. */
export const periodVerdictWords: Readonly<Record<PeriodWord, string>> = {
  better: "better",
  worse: "worse",
  higher: "higher",
  lower: "lower",
  no_difference: "no difference",
  preliminary_better: "better so far",
  preliminary_worse: "worse so far",
  cannot_tell: "cannot tell",
};

export const noVerdictWords: Readonly<Record<NonNullable<FieldComparison["reason"]>, string>> = {
  not_measured: "not measured in one of the periods",
  too_few_days: "too few days with measurements",
  loads_unlike: "no player band has enough days in both periods",
  within_noise: "within the noise of these days",
};

/** Why a word is one for now, and what its interval stands on. */
export function preliminaryWords({
  hours,
  same_hours,
  noise_days,
}: NonNullable<FieldComparison["preliminary"]>): string {
  const like = same_hours ? "the same hours" : "as many players, at other hours";
  const noise = noise_days === null ? "noise between days assumed" : `noise of ${noise_days} days before`;
  return `So far: ${Math.round(hours)} h of ${like}, ${noise}`;
}

export const caveatWords: Readonly<Record<PeriodCaveat, string>> = {
  players_not_measured:
    "Players were not measured in both periods, so days are compared whatever their load was.",
  weekdays_differ:
    "The periods do not have the same days of the week. Weekends have other players than working days.",
};

export function missingCapacityWords({
  code,
  bands_needed,
  days_needed,
}: NonNullable<PeriodCapacity["missing"]>): string {
  switch (code) {
    case "ticks_not_measured":
      return "Tick times were not measured.";
    case "players_not_measured":
      return "Players were not measured.";
    case "too_few_bands":
      return `Only lower bounds are known: it takes ${bands_needed} player bands with ${days_needed} days each.`;
  }
}

/** The number of players at which the median tick reaches a limit. */
export function capacityWords({ reached, players, low, high }: PeriodCapacity["limits"][number]): string {
  switch (reached) {
    case "measured":
      return `${players} players${intervalWords(low, high)}`;
    case "beyond":
      return low === null
        ? "not with the most players measured"
        : `more than ${low} players: not reached with the most players measured`;
    case "at_least":
      return `at least ${players} players`;
    case "before":
      return "reached with the fewest players already";
  }
}

function intervalWords(low: number | null, high: number | null): string {
  if (low === null && high === null) return "";
  if (low === null) return ` (up to ${high})`;
  return high === null ? ` (${low} or more)` : ` (${low} to ${high})`;
}

/** In the order of the answer. */
export function periodsSentence(fields: readonly Pick<FieldComparison, "field" | "verdict">[]): string {
  const of = (verdict: PeriodWord) =>
    fields.filter((each) => each.verdict === verdict).map(({ field }) => comparedName(field));
  const parts = (
    ["worse", "better", "preliminary_worse", "preliminary_better", "higher", "lower"] as const
  ).flatMap((verdict) => {
    const found = of(verdict);
    return found.length === 0
      ? []
      : [`${periodVerdictWords[verdict]} in the later period: ${found.join(", ")}`];
  });
  const sentence = parts.join("; ");
  if (sentence !== "") return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
  return of("no_difference").length > 0
    ? "No figure differs beyond noise."
    : "These periods do not tell whether anything differs.";
}
