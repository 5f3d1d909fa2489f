import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  collectScores,
  fewestRanked,
  noScores,
  rankScores,
  Standing,
  standingOf,
  type Ranks,
} from "../../../src/core/report/standing.ts";
import { reportDetail } from "../../support/payload.ts";

const reference = reportDetail();
const scored = (value: number) => ({
  scores: { total: value, single_core: value, hardware: value, gameplay: 0 },
  sub_scores: reference.sub_scores,
});
const ranksOf = (values: readonly number[]): Ranks => {
  const collected = noScores();
  for (const value of values) collectScores(collected, scored(value));
  return rankScores(collected);
};
const percentOf = (value: number, values: readonly number[]) =>
  standingOf(scored(value), ranksOf(values))?.total?.faster_than_percent;

it("[OUR-STD-01] the share is that of the scores strictly below, in whole percent rounded down", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: fewestRanked, maxLength: 300 }),
      fc.integer({ min: 1, max: 61 }),
      (values, value) => {
        const below = values.filter((other) => other < value).length;
        expect(percentOf(value, values)).toBe(Math.floor((100 * below) / values.length));
      },
    ),
  );
});

it("[OUR-STD-01] equal scores are not below, and a score above all is faster than all", () => {
  const equal = Array.from({ length: 40 }, () => 1000);
  expect([percentOf(1000, equal), percentOf(1001, equal), percentOf(999, equal)]).toEqual([0, 100, 0]);
});

it("[OUR-STD-03] what was not measured, or is known of fewer than 20 reports, has no place", () => {
  const enough = Array.from({ length: fewestRanked }, (_, index) => index + 1);
  const standing = standingOf(scored(10), ranksOf(enough));
  expect(standing).toMatchObject({ total: { faster_than_percent: 45, reports: 20 }, gameplay: null });
  expect(Standing.parse(standing)).toEqual(standing);
  expect(standingOf(scored(0), ranksOf(enough))?.total).toBeNull();
  expect(standingOf(scored(10), ranksOf(enough.slice(1)))).toBeNull();
  expect(standingOf(scored(10), null)).toBeNull();
  const custom = reportDetail();
  const unscored = {
    scores: { total: null, single_core: null, hardware: null, gameplay: null },
    sub_scores: Object.fromEntries(Object.keys(custom.sub_scores).map((key) => [key, null])),
  } as unknown as Parameters<typeof standingOf>[0];
  expect(standingOf(unscored, ranksOf(enough))).toBeNull();
});
