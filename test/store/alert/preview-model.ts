/** One measurement of a planted history. */
export interface Planted {
  readonly at: number;
  readonly value: number | null;
  readonly paused: boolean;
}

export interface ModelRule {
  readonly isBad: (value: number) => boolean;
  readonly isGood: (value: number) => boolean;
  readonly durationMs: number;
  /** A rule on ticks rests while the worlds are paused. */
  readonly watchesTicks: boolean;
}

export interface ModelEpisode {
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly resolutionReason: string | null;
}

const second = 1000;

/**
 * What a rule makes of a series, said a second time and without the code of the service: at each sample and each
 * full half minute every question looks back over the whole series.
 */
export function modelEpisodes(
  samples: readonly Planted[],
  rule: ModelRule,
  from: number,
  to: number,
): ModelEpisode[] {
  const sampleAt = (index: number): Planted => {
    const sample = samples[index];
    if (!sample) throw new Error(`The series has no sample ${index}.`);
    return sample;
  };
  const kindOf = (index: number): "bad" | "good" | "neither" => {
    const { value, paused } = sampleAt(index);
    if (value === null || (paused && rule.watchesTicks)) return "neither";
    return rule.isBad(value) ? "bad" : rule.isGood(value) ? "good" : "neither";
  };
  /** How long the kind of this sample has lasted without a gap of more than 90 s. */
  const lasted = (index: number): number => {
    let first = index;
    while (
      first > 0 &&
      kindOf(first - 1) === kindOf(index) &&
      sampleAt(first).at - sampleAt(first - 1).at <= 90 * second
    )
      first -= 1;
    return sampleAt(index).at - sampleAt(first).at;
  };
  const pausedFor = (index: number, now: number): number => {
    if (!rule.watchesTicks || !sampleAt(index).paused || now - sampleAt(index).at > 90 * second) return 0;
    let first = index;
    while (first > 0 && sampleAt(first - 1).paused) first -= 1;
    return now - sampleAt(first).at;
  };
  const moments = samples.map(({ at }, index) => ({ at, index, isSample: true }));
  for (let at = Math.ceil(from / (30 * second)) * 30 * second; at <= to; at += 30 * second)
    moments.push({ at, index: samples.findLastIndex((sample) => sample.at < at), isSample: false });
  const episodes: ModelEpisode[] = [];
  let open: number | null = null;
  const close = (at: number, resolutionReason: string): void => {
    if (open !== null) episodes.push({ openedAt: open, resolvedAt: at, resolutionReason });
    open = null;
  };
  for (const { at, index, isSample } of moments.toSorted((a, b) => a.at - b.at)) {
    if (index < 0 || at > to) continue;
    if (pausedFor(index, at) >= 120 * second) close(at, "paused_empty");
    else if (!isSample) {
      if (at - sampleAt(index).at >= 900 * second) close(at, "no_data");
    } else if (kindOf(index) === "bad") {
      if (open === null && lasted(index) >= rule.durationMs) open = at;
    } else if (kindOf(index) === "good" && lasted(index) >= 60 * second) close(at, "recovered");
  }
  if (open !== null) episodes.push({ openedAt: open, resolvedAt: null, resolutionReason: null });
  return episodes;
}
