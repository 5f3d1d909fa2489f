import { fullRate } from "../../metric/target-rate.ts";
import { profileTime } from "../../profile/show.ts";
import { dayMs, hourMs, type Instant } from "../../time.ts";
import type { HealthFacts } from "../facts.ts";
import type { NextStep } from "../health.ts";
import { captureProfileStep, readMetricsStep, readProfileStep } from "../next-steps.ts";
import { lateByMspt, lateByTps, tickTimeOf } from "../late-ticks.ts";
import { leastSpikes, longSpikeMs, spikeGapMs, spikeMs } from "../thresholds.ts";
import {
  evidenceFigure,
  isStarting,
  isTicking,
  judgedSamples,
  lastMeasuredAt,
  mediansHeldSince,
  medianNow,
  newestEpisode,
  nowWords,
  oneDecimal,
  overHours,
  type HealthRule,
} from "./rule.ts";

/** A profile that was recorded while the ticks were late shows what takes the time; else one has to be made. */
const nextOf = (facts: HealthFacts, since: Instant | null = null): NextStep[] => [
  ...(isRecordedSince(facts, since ?? facts.to - hourMs) ? [] : [captureProfileStep(facts)]),
  readProfileStep(facts),
  readMetricsStep(facts, "mspt", "mspt_p95", "worst_tick_ms", "player_count"),
];

const isRecordedSince = ({ newestProfile: newest, to }: HealthFacts, since: Instant): boolean =>
  newest !== null && profileTime(newest) >= Math.max(since, to - dayMs);

const slowByTps: HealthRule = (facts) => {
  const tps = medianNow(facts, "tps");
  const target = medianNow(facts, "target_tps");
  const late = lateByTps(tps, target);
  if (tps === null || late === null) return null;
  const { severity, threshold } = late;
  const beginning = mediansHeldSince(facts, "tps", (value) => value < threshold);
  return {
    code: "tick_over_budget",
    severity,
    ...beginning,
    evidence: [evidenceFigure("tps_median", oneDecimal(tps), "tps", threshold, lastMeasuredAt(facts, "tps"))],
    next: nextOf(facts, beginning.since),
    text: `The server runs at ${oneDecimal(tps)} of ${oneDecimal(target ?? fullRate)} ticks a second (${nowWords}).`,
  };
};

/** TPS decides only if MSPT is not measured. */
export const tickOverBudget: HealthRule = (facts) => {
  const mspt = medianNow(facts, "mspt");
  if (mspt === null) return slowByTps(facts);
  const late = medianNow(facts, "mspt_p95");
  const target = medianNow(facts, "target_tps");
  const level = lateByMspt({ mspt, mspt_p95: late, target_tps: target });
  if (level === null) return null;
  const { severity, threshold } = level;
  const budget = oneDecimal(tickTimeOf(target));
  const at = lastMeasuredAt(facts, "mspt");
  const figures = [evidenceFigure("mspt_median", oneDecimal(mspt), "ms", threshold, at)];
  if (late !== null) figures.push(evidenceFigure("mspt_p95_median", oneDecimal(late), "ms", budget, at));
  const beginning = mediansHeldSince(facts, "mspt", (value) => value >= threshold);
  return {
    code: "tick_over_budget",
    severity,
    ...beginning,
    evidence: figures,
    next: nextOf(facts, beginning.since),
    text:
      severity === "critical"
        ? `Ticks take ${oneDecimal(mspt)} ms of the ${budget} ms they have (${nowWords}).`
        : `Ticks take ${oneDecimal(mspt)} ms of the ${budget} ms they have, and the slowest 5 % take ${oneDecimal(late ?? 0)} ms (each a ${nowWords}).`,
  };
};

export const longSpikes: HealthRule = (facts) => {
  if (!isTicking(facts) || isStarting(facts)) return null;
  const spikes = judgedSamples(facts, 0)
    .measured("worst_tick_ms")
    .filter(({ value }) => value >= spikeMs);
  const inLastHour = spikes.filter(({ at }) => at >= facts.to - hourMs);
  const last = inLastHour.at(-1);
  if (inLastHour.length < leastSpikes || !last) return null;
  const worst = Math.max(...inLastHour.map(({ value }) => value));
  const times = spikes.map(({ at }) => at);
  const episode = newestEpisode(times, spikeGapMs, Math.max(facts.samplesFrom, facts.firstSampleAt ?? 0));
  if (episode === null) return null;
  return {
    code: "tick_spikes",
    severity: worst >= longSpikeMs ? "warning" : "info",
    raisesTo: "warning",
    since: episode.since,
    sinceIsAtLeast: episode.sinceIsAtLeast,
    evidence: [
      evidenceFigure("samples_with_a_spike", episode.count, "count", leastSpikes, last.at),
      ...overHours(episode, last.at),
      evidenceFigure(
        "worst_tick_ms",
        Math.round(worst),
        "ms",
        worst >= longSpikeMs ? longSpikeMs : spikeMs,
        last.at,
      ),
    ],
    next: nextOf(facts),
    text: `Single ticks took up to ${Math.round(worst)} ms in the last hour.`,
  };
};
