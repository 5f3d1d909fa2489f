import { describe, expect, it } from "vitest";
import { Arrivals, Measurements, type RuleSample } from "../../../src/core/alert/arrivals.ts";
import { RulePreview, type PreviewRequest } from "../../../src/core/alert/preview.ts";
import { listedEpisodes } from "../../../src/core/alert/rule-replay.ts";
import { minute, second, start } from "./facts.ts";

const step = 30 * second;
const lowTps: PreviewRequest["rule"] = {
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 0,
  cooldownMinutes: 0,
};
const offline = { ...lowTps, metric: "offline", condition: null, threshold: null } as const;

const at = (index: number): number => start + index * step;
const sample = (index: number, value: number | null, changes: Partial<RuleSample> = {}): RuleSample => ({
  sampledAt: at(index),
  receivedAt: at(index) + 200,
  value,
  pausedEmpty: false,
  targetTps: null,
  ...changes,
});
/** Samples every 30 s from `start` on. */
const every = (values: readonly (number | null)[]): RuleSample[] =>
  values.map((value, index) => sample(index, value));
const repeated = (times: number, values: readonly number[]): number[] =>
  Array.from({ length: times }, () => values).flat();

function preview(
  samples: readonly RuleSample[],
  changes: Partial<PreviewRequest> & { readonly parts?: number } = {},
) {
  const last = samples.at(-1)?.sampledAt ?? start;
  const replayed = new RulePreview({
    rule: lowTps,
    from: start,
    to: last + second,
    maintenance: [],
    ...changes,
  });
  const length = changes.parts ?? 1000;
  for (let begin = 0; begin < samples.length; begin += length)
    replayed.add(samples.slice(begin, begin + length));
  return replayed.outcome();
}

describe("the samples of a preview", () => {
  const batch = (indices: readonly number[], receivedAt: number): RuleSample[] =>
    indices.map((index) => sample(index, 5, { receivedAt }));

  it.each([
    ["days later", batch([1, 2, 3], at(5000))],
    ["a moment later, several at once", batch([1, 2, 3], at(4) - second)],
    ["several at once, most of them long after they were measured", batch([1, 2, 12], at(13) - second)],
  ])("[OUR-ALR-91] that were sent %s are judged, and live evaluation did not see them", (_, uploaded) => {
    const live = [0, 4, 5, 6, 13].map((index) => sample(index, 20));
    const samples = [...live, ...uploaded].toSorted((one, other) => one.sampledAt - other.sampledAt);
    const outcome = preview(samples, { to: at(6000) });
    const [first] = uploaded;
    expect(outcome).toMatchObject({ samples: 8, lateSamples: 3, live: { samples: 5, episodesTotal: 0 } });
    expect(outcome.episodes.at(-1)?.openedAt).toBe(first?.sampledAt);
    expect([outcome.firstSampleAt, outcome.lastSampleAt]).toEqual([at(0), at(13)]);
  });

  it("[OUR-ALR-90] count in the order of measuring, by our clock if a plugin's clock is ahead", () => {
    // Measured four minutes ahead of our clock until it is set right with the third sample.
    const ahead = [0, 1].map((index) => sample(index + 8, 20, { receivedAt: at(index) + 200 }));
    const right = [2, 3, 4].map((index) => sample(index, 5));
    const outcome = preview([...right, ...ahead]);
    expect(outcome.episodes).toMatchObject([{ openedAt: at(2), resolvedAt: null }]);
    expect(outcome.live.episodes).toMatchObject([{ openedAt: at(2) + 200, resolvedAt: null }]);
    expect(outcome).toMatchObject({ samples: 5, lateSamples: 0 });
  });

  it.each([
    ["null", null],
    ["NaN", Number.NaN],
    ["endless", Number.POSITIVE_INFINITY],
  ])(
    "[OUR-ALR-91] without a time of receipt (%s) count as in time and hold nothing back",
    (_, receivedAt) => {
      const samples = every([20, 20, 5, 5, 5, 20, 20, 20, 5]).with(1, sample(1, 20, { receivedAt }));
      const outcome = preview(samples);
      expect(outcome).toMatchObject({ samples: 9, lateSamples: 0, undated: 0, episodesTotal: 2 });
      expect(outcome.live).toMatchObject({ samples: 9, episodesTotal: 2 });
    },
  );

  it("[OUR-ALR-91] without a time of their own are counted, and a queue of arrivals refuses what is no instant", () => {
    const bad = sample(1, 5, { sampledAt: Number.NaN });
    expect(preview([sample(0, 20), bad, sample(2, 5)])).toMatchObject({
      samples: 2,
      undated: 1,
      episodesTotal: 1,
    });
    const ignore = () => undefined;
    for (const queue of [new Arrivals(ignore, ignore), new Measurements(ignore)])
      for (const wrong of [{ receivedAt: Number.NaN }, { sampledAt: Number.NaN }])
        expect(() => queue.add({ ...sample(0, 5), receivedAt: at(0), ...wrong })).toThrow(RangeError);
  });

  it("[OUR-ALR-90] may come in parts of any length, and count from the start of the period to its end", () => {
    const samples = every(repeated(40, [5, 5, 20, 20, 20, 20]));
    const period = { from: at(7), to: at(200) };
    const whole = preview(samples, period);
    expect(whole).toMatchObject({ samples: 194, episodesTotal: 33 });
    expect(whole.episodes.at(-1)?.openedAt).toBe(at(7));
    for (const parts of [1, 7, 64]) expect(preview(samples, { ...period, parts })).toEqual(whole);
  });
});

describe("the outcome of a preview", () => {
  it("[OUR-ALR-92] has the 50 newest episodes, newest first, and counts every one", () => {
    const outcome = preview(every([...repeated(70, [5, 20, 20, 20]), 4]));
    expect(outcome.episodes).toHaveLength(listedEpisodes);
    expect(outcome.episodesTotal).toBe(71);
    const openings = outcome.episodes.map(({ openedAt }) => openedAt);
    expect(openings).toEqual(Array.from({ length: 50 }, (_, index) => at(280 - 4 * index)));
    // Each lasts from its first sample to the third good one, the open one until now.
    expect(outcome.alertMs).toBe(70 * 3 * step + second);
    expect(outcome.episodes[0]).toMatchObject({ resolvedAt: null, resolutionReason: null, worstValue: 4 });
  });

  it("[OUR-ALR-92] counts what the cooldown, flapping and maintenance keep back, and what is sent after all", () => {
    const samples = every([...repeated(12, [5, 20, 20, 20]), ...repeated(100, [20]), 5, 5, 5, 5, 20, 20, 20]);
    const openings = (changes: Partial<PreviewRequest>) => {
      const { openedMessages, resolvedMessages, keptBack } = preview(samples, changes);
      return [openedMessages, resolvedMessages, keptBack];
    };
    const none = { maintenance: 0, muted: 0, flapping: 0, cooldown: 0 };
    const cooled = { ...lowTps, cooldownMinutes: 9 };
    const window = { startedAt: at(147), endsAt: at(149) + second };
    const longer = { startedAt: at(147), endsAt: at(400) };
    // Openings are two minutes apart: from the sixth on the rule flaps.
    expect(openings({})).toEqual([6, 6, { ...none, flapping: 7 }]);
    expect(openings({ rule: cooled })).toEqual([2, 2, { ...none, flapping: 7, cooldown: 4 }]);
    // The alert is still open when the window ends, and is sent by the next sweep.
    expect(openings({ maintenance: [window] })).toEqual([6, 6, { ...none, flapping: 7 }]);
    expect(openings({ maintenance: [longer] })).toEqual([5, 5, { ...none, flapping: 7, maintenance: 1 }]);
  });

  it("[OUR-ALR-92] is empty without samples, also for silence", () => {
    for (const rule of [lowTps, offline]) {
      const outcome = preview([], { rule, to: start + 60 * minute });
      expect(outcome).toMatchObject({ samples: 0, episodesTotal: 0, alertMs: 0, firstSampleAt: null });
    }
  });

  it("[OUR-ALR-90] opens an alert on silence with a full half minute, and lasts while nothing comes in", () => {
    const samples = [...every([20, 20, 20]), sample(90, 20), sample(91, 20), sample(92, 20), sample(93, 20)];
    const rule = { ...offline, durationMinutes: 5 } as const;
    const outcome = preview(samples, { rule, to: at(900) });
    expect(outcome.episodes.map(({ openedAt, resolvedAt }) => [openedAt, resolvedAt])).toEqual([
      [at(103), null],
      [at(12), at(92)],
    ]);
  });
});
