import { bandOf } from "../bands.ts";
import type { LevelBaseline, LevelBucket } from "../baseline.ts";
import { leastMore, moreLimit, moreThanBaseline } from "../count-baselines.ts";
import { countedFields, type CountedField, type HealthFacts } from "../facts.ts";
import type { HealthSamples } from "../health-samples.ts";
import { loadBuckets, loadFields, type LoadBucket } from "../load-buckets.ts";
import { bucketMs } from "../../metric/chunk.ts";
import { readMetricsStep } from "../next-steps.ts";
import type { OpenLevel } from "../unusual-level.ts";
import { evidenceFigure, isStarting, isTicking, judgedSamples, type HealthRule } from "./rule.ts";

/** A server that is paused because nobody is online measures no ticks. */
function awakeSamples(samples: HealthSamples): HealthSamples {
  const ticks = (["tps", "mspt", "mspt_region_avg"] as const).map((field) => samples.column(field));
  const players = samples.column("player_count");
  return samples.where(
    (index) =>
      ticks.some((column) => !Number.isNaN(column[index] ?? Number.NaN)) || (players[index] ?? 0) > 0,
  );
}

function wholeBuckets(facts: HealthFacts): LoadBucket[] {
  const samples = awakeSamples(judgedSamples(facts, 0));
  const columns = loadFields.map((field) => samples.column(field));
  return loadBuckets({ times: samples.times, columns }, []).filter(({ at }) => at + bucketMs <= facts.to);
}

const levelsOf = (buckets: readonly LoadBucket[], field: CountedField): LevelBucket[] =>
  buckets.flatMap(({ at, player_count: players, [field]: value }) =>
    value === null || players === null ? [] : [{ at, value, players }],
  );

/** A cheap check before buckets are built. */
function mayBeMore({ samples }: HealthFacts, field: CountedField, baseline: LevelBaseline): boolean {
  const least = leastMore(baseline);
  return samples.column(field).some((value) => value >= least);
}

interface More {
  readonly field: CountedField;
  readonly open: OpenLevel;
  readonly sinceIsAtLeast: boolean;
}

function moreOf(
  field: CountedField,
  { baseline, buckets }: { readonly baseline: LevelBaseline; readonly buckets: readonly LevelBucket[] },
): More[] {
  const open = moreThanBaseline(buckets, baseline);
  if (open === null) return [];
  return [{ field, open, sinceIsAtLeast: open.since <= (buckets[0]?.at ?? 0) }];
}

export const moreThanUsual: HealthRule = (facts) => {
  const baselines = facts.countBaselines;
  if (!isTicking(facts) || isStarting(facts)) return null;
  const judged = countedFields.flatMap((field) => {
    const baseline = baselines[field];
    return baseline && mayBeMore(facts, field, baseline) ? [{ field, baseline }] : [];
  });
  const whole = judged.length === 0 ? [] : wholeBuckets(facts);
  const found = judged.flatMap(({ field, baseline }) =>
    moreOf(field, { baseline, buckets: levelsOf(whole, field) }),
  );
  const [first] = found.toSorted((one, other) => one.open.since - other.open.since);
  if (!first) return null;
  const { value, median: usual, playersFrom } = first.open.evidence;
  const isHeld = found.every(({ open }) => moreLimit(open.evidence).heldBy !== undefined);
  return {
    code: "more_than_usual",
    severity: "info",
    raisesTo: "warning",
    since: first.open.since,
    sinceIsAtLeast: first.sinceIsAtLeast,
    ...(isHeld && { heldBy: "median" as const }),
    evidence: found.flatMap(({ field, open: { evidence } }) => [
      evidenceFigure(
        `${field}_median`,
        Math.round(evidence.value),
        "count",
        Math.round(moreLimit(evidence).threshold),
        evidence.measuredAt,
      ),
      evidenceFigure(`usual_${field}`, Math.round(evidence.median), "count", null, evidence.measuredAt),
    ]),
    next: [readMetricsStep(facts, ...found.map(({ field }) => field), "mspt", "player_count")],
    text: `The worlds hold ${Math.round(value)} ${nounOf[first.field]}; with ${bandOf(playersFrom).text} this server usually has ${Math.round(usual)}.`,
  };
};

const nounOf: Readonly<Record<CountedField, string>> = {
  entity_count: "entities",
  loaded_chunks: "loaded chunks",
  tile_entities: "tile entities",
};
