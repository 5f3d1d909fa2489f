import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareProfiles, type ProfileSide } from "../../../src/core/profile/compare.ts";
import type { ProfileDocument } from "../../../src/core/profile/document.ts";
import type { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import { stacksDocument } from "./any-profile.ts";
import { anyProfile, captured, kept, line } from "./compared-profiles.ts";

/** Plugins by the tick samples that each one's own method took, of so many in all. */
const pluginsOf = (samples: Record<string, number>, tick: number | null = null): ProfileDocument =>
  stacksDocument(
    Object.entries(samples).map(([name, count]) => [`${name}:net.${name}.Main.run`, count]),
    { samples: { tick } },
  );

const hourLater = { id: "s2", capturedAt: captured + 3_600_000 };

/** Twelve plugins of 20, 19 … 9 samples, P0 the heaviest or the lightest; a summary has room for ten. */
const twelve = (place: (index: number) => number): ProfileDocument =>
  pluginsOf(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`P${index}`, 20 - place(index)])));

describe("two profiles kept whole", () => {
  const base = kept(twelve((index) => index));
  const target = kept(
    twelve((index) => 11 - index),
    hourLater,
  );

  it("[PCM-04] [OUR-PCM-11] are compared with all they hold, beyond the lists of their summaries", () => {
    const { source, owners, methods, comparability } = compareProfiles(base, target);
    expect(source).toBe("documents");
    expect([owners.length, methods.length]).toEqual([12, 12]);
    expect(comparability.issues.map(({ code }) => code)).toEqual(["few-samples"]);
    // 20 and 9 of 174 samples; 200·√(0.1149·0.8851/174 + 0.0517·0.9483/174) = 5.8864
    expect(line(owners.find(({ owner }) => owner === "P0"))).toBe(
      "P0 true 11.49 5.17 null null -6.32 null null 5.89 true down 11.49 5.17",
    );
  });

  it("[OUR-PCM-11] and a method that only called others is no row", () => {
    const side = kept(stacksDocument([["A:net.A.Main.run A:net.A.Shop.price", 300]]));
    const { methods } = compareProfiles(side, side);
    expect(methods.map(({ method }) => method)).toEqual(["net.A.Shop.price"]);
  });

  it.each<[string, ProfileSide, ProfileSide]>([
    ["the older", { ...base, document: null }, target],
    ["the newer", base, { ...target, document: null }],
  ])("[PCM-02] [PCM-04] but by their summaries once %s is not", (_, one, other) => {
    const { source, owners, comparability } = compareProfiles(one, other);
    expect(source).toBe("summaries");
    // Of 174 samples the tenth plugin has 11: 6.32 percent, and so has the eleventh at most.
    expect(owners.filter(({ owner }) => owner === "P1" || owner === "P10").map(line)).toEqual([
      "P1 true 10.92 null null 6.32 null -10.92 -4.6 null null down 10.92 null",
      "P10 true null 10.92 6.32 null null 4.6 10.92 null null up null 10.92",
    ]);
    expect(comparability.issues.map(({ code }) => code)).toEqual(["few-samples", "owners-incomplete"]);
  });
});

describe("a tree that lost samples", () => {
  const whole = kept(pluginsOf({ A: 400, B: 20 }, 420));

  it("[PCM-13] [OUR-PCM-11] an owner it lacks may have had them all, however small the least it lists", () => {
    const lossy = kept(pluginsOf({ A: 379, C: 1 }, 400), hourLater);
    const { owners, comparability } = compareProfiles(whole, lossy);
    expect(owners.map(line)).toEqual([
      "B true 4.76 null null 5 null -4.76 0.24 null null unknown 4.76 null",
      "A true 95.24 94.75 null null -0.49 null null 3.05 false down 95.24 94.75",
      "C true 0 0.25 null null 0.25 null null 0.5 false appeared 0 0.25",
    ]);
    expect(comparability.issues).toEqual([
      { code: "owners-incomplete", severity: "info", base: null, target: 5 },
    ]);
  });

  it("[OUR-PCM-11] what ends where a stack was cut is as good as lost", () => {
    const stacks = [
      ["A:net.A.Main.run", 390],
      ["A:net.A.Main.run !", 10],
    ] as const;
    const cut = kept(stacksDocument(stacks), hourLater);
    const row = compareProfiles(whole, cut).owners.find(({ owner }) => owner === "B");
    expect(row).toMatchObject({ target_pct: null, target_at_most: 2.5, status: "down" });
  });

  it("[OUR-PCM-11] losing less than a list may leave out is losing nothing", () => {
    const lossy = kept(pluginsOf({ A: 1999 }, 2000), hourLater);
    const row = compareProfiles(whole, lossy).owners.find(({ owner }) => owner === "B");
    expect(row).toMatchObject({ target_pct: 0, target_at_most: null, status: "disappeared" });
  });
});

describe("of any two documents", () => {
  const isWhole = ({ comparability }: ProfileComparison): boolean =>
    !comparability.issues.some(({ code }) => code === "no-tick-samples" || code === "owners-incomplete");

  it("[PCM-04] [OUR-PCM-11] their summaries tell the same, or a range that holds it", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (one, other) => {
        const [base, target] = [kept(one), kept(other, hourLater)];
        const whole = compareProfiles(base, target);
        const short = compareProfiles({ ...base, document: null }, target);
        expect(whole.categories).toEqual(short.categories);
        expect(whole.base).toEqual(short.base);
        for (const row of isWhole(whole) ? short.owners : []) {
          const same = whole.owners.find(({ owner }) => owner === row.owner);
          const delta = same?.delta_points ?? NaN;
          // A complete list may leave out owners of less than 0.1 percent.
          const leftOut = row.base_pct === 0 || row.target_pct === 0 ? 0.1 : 0;
          expect(delta).toBeGreaterThanOrEqual((row.delta_points ?? row.delta_min ?? NaN) - leftOut);
          expect(delta).toBeLessThanOrEqual((row.delta_points ?? row.delta_max ?? NaN) + leftOut);
          expect(row.base_pct || same?.base_pct).toBe(same?.base_pct);
          expect(row.target_pct || same?.target_pct).toBe(same?.target_pct);
        }
      }),
      { numRuns: 300 },
    );
  });
});
