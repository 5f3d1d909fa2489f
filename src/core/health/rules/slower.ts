import { utcDay } from "../../time.ts";
import { bandOf } from "../bands.ts";
import type { HealthFacts } from "../facts.ts";
import type { NextStep } from "../health.ts";
import { captureProfileStep, compareProfilesStep, readMetricsStep, readProfileStep } from "../next-steps.ts";
import { slownessLimit } from "../slower-than-usual.ts";
import { decidingWords, episodeOf } from "../unusual-level.ts";
import { evidenceFigure, isTicking, oneDecimal, type HealthRule } from "./rule.ts";

function nextOf(facts: HealthFacts): NextStep[] {
  const { formerProfile: former, newestProfile: newest } = facts;
  const look = former && newest ? compareProfilesStep(facts, former, newest) : captureProfileStep(facts);
  return [look, readProfileStep(facts), readMetricsStep(facts, "mspt", "player_count", "entity_count")];
}

export const slowerThanUsual: HealthRule = (facts) => {
  const { slowness, past } = facts.usual;
  if (slowness === null || !isTicking(facts)) return null;
  const { value, median, p98, playersFrom, buckets, days, measuredAt } = slowness.evidence;
  const episode = episodeOf(slowness);
  const isIntermittent = episode < slowness.since;
  const ofEpisode = past.filter((span) => span.episode === episode);
  const evenings = new Set([...ofEpisode, slowness].map(({ since }) => utcDay(since))).size;
  const [now, usual, unusual] = [oneDecimal(value), oneDecimal(median), oneDecimal(p98)];
  const { threshold, ...held } = slownessLimit(slowness.evidence);
  return {
    code: "slower_than_usual",
    severity: "warning",
    since: episode,
    ...(isIntermittent && { intermittent: true }),
    ...held,
    evidence: [
      evidenceFigure("mspt_median", now, "ms", oneDecimal(threshold), measuredAt),
      evidenceFigure("usual_mspt_median", usual, "ms", null, measuredAt),
      ...(isIntermittent ? [evidenceFigure("evenings", evenings, "count", null, measuredAt)] : []),
      evidenceFigure("players_from", playersFrom, "count", null, measuredAt),
      evidenceFigure("baseline_buckets", buckets, "count", null, measuredAt),
      evidenceFigure("baseline_days", days, "count", null, measuredAt),
    ],
    next: nextOf(facts),
    text: `Ticks take ${now} ms (${decidingWords}); with ${bandOf(playersFrom).text} this server usually needs ${usual} ms (98 % of the time ${unusual} or less).`,
  };
};
