import { afterAll, beforeAll, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { playPlanted, type Delivery, type PlantedAnswers } from "../support/planted/deliver.ts";
import { plantedHistory, plantedKinds, type PlantedKind } from "../support/planted/histories.ts";
import { addAnswer, essenceOf, noScore, scoreOf, scoreTable, type Score } from "../support/planted/score.ts";

// `npm run bench` plays more seeds, and every kind in every way.

/**
 * How histories also come beside in time: late, and two kinds twice, or in parts and in any order. The usual run takes
 * one of the kinds that are judged alike (by ticks, by load, by the disk): each costs seconds.
 */
const otherwise: Readonly<Partial<Record<PlantedKind, readonly Delivery[]>>> = {
  "several updates": ["late", "mixed"],
  leak: ["late"],
  throttle: ["late"],
  spikes: ["late", "doubled"],
  hang: ["late"],
  "crash loop": ["late"],
};
const repeated = new Set<PlantedKind>(["several updates", "spikes"]);

const otherwiseOf = (kind: PlantedKind): readonly Delivery[] =>
  isLong ? ["late", ...(repeated.has(kind) ? (["doubled", "mixed"] as const) : [])] : (otherwise[kind] ?? []);

let played: PlantedAnswers[] = [];

beforeAll(async () => {
  const histories = plantedKinds.map((kind, place) => plantedHistory(kind, 31 + place));
  played = await playPlanted(histories, (kind) => ["in time", ...otherwiseOf(kind)]);
}, 600_000);

afterAll(() => void (played = []));

const of = (delivery: Delivery): PlantedAnswers[] => played.filter((each) => each.delivery === delivery);

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((total, score) => total + of(score), 0);

function expectGood(scores: readonly Score[]): void {
  const [promised, found] = [sum(scores, (score) => score.promised), sum(scores, (score) => score.found)];
  expect(promised).toBeGreaterThan(20);
  expect(found / promised).toBeGreaterThanOrEqual(0.95);
  expect(sum(scores, (score) => score.sinceRight) / found).toBeGreaterThanOrEqual(0.95);
  expect(sum(scores, (score) => score.culpritWrong)).toBe(0);
  expect(sum(scores, (score) => score.culpritMissing)).toBe(0);
}

it("[OUR-HLT-80] what the rules promise is found in time, with its beginning and the change that explains it", () => {
  const rows = of("in time").map((each) => [each.history.kind, scoreOf(each, each.live)] as const);
  console.log(scoreTable(rows));
  expectGood(rows.map(([, score]) => score));
});

it("[OUR-HLT-80] what is said of a window later, with all of its data, is what is said of it with data in time", () => {
  for (const each of played) {
    const inTime = of("in time").find(({ history }) => history === each.history);
    const differing = each.windows.flatMap(({ at, answer }) => {
      const then = inTime?.live.find((asked) => asked.at === at)?.answer;
      if (then && JSON.stringify(essenceOf(then)) === JSON.stringify(essenceOf(answer))) return [];
      return [{ at: new Date(at).toISOString(), said: essenceOf(answer), inTime: then && essenceOf(then) }];
    });
    // That a main thread hung is in no sample: who hears nothing of it while it does never will.
    const isUnheard = each.history.promised?.onlyLive === true && each.delivery === "late";
    const expected = isUnheard ? differing : [];
    expect(differing, `${each.history.kind}, ${each.delivery}`).toEqual(expected);
  }
});

it("[OUR-HLT-80] what is said now is the same however the data came", () => {
  for (const each of played) {
    const inTime = of("in time").find(({ history }) => history === each.history);
    expect(essenceOf(each.now), `${each.history.kind}, ${each.delivery}`).toEqual(
      essenceOf(inTime?.now ?? {}),
    );
  }
});

it("[OUR-HLT-81] the timeline has what late data says of the past, and marks what it contradicts", () => {
  for (const { history, entries } of of("late")) {
    // It sent nothing for hours, which was announced.
    const down = entries.filter(({ metadata }) => (metadata as { to: string }).to === "down");
    const revised = down.filter(({ metadata }) => "revised_at" in (metadata as object));
    expect(revised.length, history.kind).toBeGreaterThanOrEqual(1);
    const inTime = of("in time").find((each) => each.history === history)?.entries ?? [];
    const verdicts = (all: typeof entries) =>
      all
        .filter(({ metadata }) => !("revised_at" in (metadata as object)))
        .map(({ metadata }) => (metadata as { to: string }).to);
    if (history.promised?.onlyLive !== true)
      expect(verdicts(entries), history.kind).toEqual(verdicts(inTime));
  }
});

it("counts an innocent change that is named as wrong", () => {
  const history = plantedHistory("none", 1);
  const finding = { code: "tick_spikes", coincides_with: [{ subject: history.innocent[0] }] };
  const score = noScore();
  addAnswer(score, history, 0, { findings: [finding] });
  expect(score.culpritWrong).toBe(1);
});
