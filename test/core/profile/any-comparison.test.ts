import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import { anyKept, anySide } from "./compared-profiles.ts";

/** Two profiles of which the summaries are left, or of which everything is kept. */
const anyTwo: fc.Arbitrary<[ProfileSide, ProfileSide]> = fc.oneof(
  fc.tuple(anySide("a"), anySide("b")),
  fc.tuple(anyKept("a"), anyKept("b")),
  fc.tuple(anyKept("a"), anySide("b")),
);

const allRows = ({ owners, methods, categories }: ProfileComparison) => [
  ...owners,
  ...methods,
  ...categories,
];

const hasNoTicks = ({ record }: ProfileSide): boolean => {
  const { samples, owners, categories } = record.summary;
  return (samples.tick ?? owners.length + categories.length) === 0;
};

describe("of any two profiles", () => {
  it("[PCM-03] answers what its schema says, members in its order, whatever is compared", () => {
    fc.assert(
      fc.property(anyTwo, ([one, other]) => {
        const comparison = profileComparisonOf(one, other);
        expect(JSON.stringify(ProfileComparison.parse(comparison))).toBe(JSON.stringify(comparison));
      }),
    );
  });

  it("[PCM-02] [OUR-PCM-01] naming them the other way round changes nothing", () => {
    fc.assert(
      fc.property(anyTwo, ([one, other]) => {
        expect(profileComparisonOf(other, one)).toEqual(profileComparisonOf(one, other));
      }),
    );
  });

  it("[OUR-PCM-10] a profile against itself is stable throughout, or unknown without ticks", () => {
    fc.assert(
      fc.property(anyTwo, ([side]) => {
        const comparison = profileComparisonOf(side, side);
        const status = hasNoTicks(side) ? "unknown" : "stable";
        expect(allRows(comparison).filter((row) => row.status !== status)).toEqual([]);
        expect(comparison.comparability.issues.filter(({ code }) => code.endsWith("-differs"))).toEqual([]);
        expect([comparison.key_points.appeared, comparison.key_points.resolved]).toEqual([[], []]);
      }),
    );
  });

  it("[OUR-PCM-06] a side without ticks leaves every delta, noise and status unknown", () => {
    fc.assert(
      fc.property(anyTwo, ([one, other]) => {
        const comparison = profileComparisonOf(one, other);
        const { comparability } = comparison;
        const blocked = hasNoTicks(one) || hasNoTicks(other);
        expect(comparability.level === "not-comparable").toBe(blocked);
        for (const row of blocked ? allRows(comparison) : []) {
          const { delta_points, delta_min, delta_max, noise_points, beyond_noise, status } = row;
          expect([delta_points, delta_min, delta_max, noise_points, beyond_noise]).toEqual(
            Array(5).fill(null),
          );
          expect(status).toBe("unknown");
        }
      }),
    );
  });

  it("[PCM-09] [PCM-10] lists are bounded, each name once, and every kind of work of either side is told", () => {
    fc.assert(
      fc.property(anyTwo, ([one, other]) => {
        const { owners, methods, categories } = profileComparisonOf(one, other);
        expect(Math.max(owners.length, methods.length)).toBeLessThanOrEqual(25);
        expect(new Set(owners.map(({ owner }) => owner)).size).toBe(owners.length);
        const listed = [one, other].flatMap(({ record }) => record.summary.categories);
        expect(categories.map(({ category }) => category).sort()).toEqual(
          [...new Set(listed.map(({ category }) => category))].sort(),
        );
      }),
    );
  });

  it("[PCM-14] [OUR-PCM-02] a change is target less base in hundredths, and a range is given just where a share is unknown", () => {
    fc.assert(
      fc.property(anyTwo, ([one, other]) => {
        const comparison = profileComparisonOf(one, other);
        fc.pre(comparison.comparability.level !== "not-comparable");
        for (const row of allRows(comparison)) {
          const { base_pct, target_pct, base_at_most, target_at_most, delta_points, delta_min, delta_max } =
            row;
          const known = base_pct !== null && target_pct !== null;
          expect(delta_points).toBe(
            known ? (Math.round(target_pct * 100) - Math.round(base_pct * 100)) / 100 : null,
          );
          expect([delta_min === null, delta_max === null]).toEqual([known, known]);
          expect([base_at_most === null, target_at_most === null]).toEqual([
            base_pct !== null,
            target_pct !== null,
          ]);
        }
      }),
    );
  });
});
