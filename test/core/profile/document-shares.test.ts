import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import type { ProfileDocument } from "../../../src/core/profile/document.ts";
import type { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import { documentOf, slowStacks, stacksDocument } from "./any-profile.ts";
import { anyProfile, captured, kept, line } from "./compared-profiles.ts";
import { randomCases } from "../../support/long.ts";

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
    const { source, owners, methods, comparability } = profileComparisonOf(base, target);
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
    const { methods } = profileComparisonOf(side, side);
    expect(methods.map(({ method }) => method)).toEqual(["net.A.Shop.price"]);
  });

  /** Without the owners that are named beside a full list. */
  const listAlone = ({ record, document }: ProfileSide): ProfileSide => ({
    record: { ...record, summary: { ...record.summary, owners_by_total: [] } },
    document,
  });

  it("[OUR-PRO-61] an owner that a summary names beside its list is known to a comparison", () => {
    const { source, owners } = profileComparisonOf({ ...base, document: null }, target);
    expect(source).toBe("summaries");
    expect(owners.filter(({ owner }) => owner === "P1" || owner === "P10").map(line)).toEqual([
      "P1 true 10.92 5.75 null null -5.17 null null 5.9 false down 10.92 5.75",
      "P10 true 5.75 10.92 null null 5.17 null null 5.9 false up 5.75 10.92",
    ]);
  });

  it.each<[string, ProfileSide, ProfileSide]>([
    ["the older", listAlone({ ...base, document: null }), listAlone(target)],
    ["the newer", listAlone(base), listAlone({ ...target, document: null })],
  ])("[PCM-02] [PCM-04] but by their summaries once %s is not", (_, one, other) => {
    const { source, owners, comparability } = profileComparisonOf(one, other);
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
    const { owners, comparability } = profileComparisonOf(whole, lossy);
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
    const row = profileComparisonOf(whole, cut).owners.find(({ owner }) => owner === "B");
    expect(row).toMatchObject({ target_pct: null, target_at_most: 2.5, status: "down" });
  });

  it("[OUR-PCM-11] losing less than a list may leave out is losing nothing", () => {
    const lossy = kept(pluginsOf({ A: 1999 }, 2000), hourLater);
    const row = profileComparisonOf(whole, lossy).owners.find(({ owner }) => owner === "B");
    expect(row).toMatchObject({ target_pct: 0, target_at_most: null, status: "disappeared" });
  });
});

describe("once the full profiles are gone", () => {
  const base = kept(
    stacksDocument([
      ["net.minecraft.A.tick", 8600],
      ["zz.X:zz.X.run", 1400],
    ]),
  );
  const target = (sent: readonly (readonly [string, number])[]) =>
    kept(stacksDocument([["net.minecraft.A.tick", 8500], ...sent], { samples: { tick: 10_000 } }), hourLater);
  const partial = target([["java.util.HashMap.get", 1]]);
  const cutOff = target([["net.minecraft.A.tick !", 1400]]);

  it.each<[string, ProfileSide, number, string]>([
    ["a tree that lost 14.99 %", partial, 14.99, "unknown"],
    ["one that lost 1 %, with 14 % in cut stacks", cutOff, 15, "unknown"],
    [
      "a whole one with fewer samples lost than 0.1 %",
      target([["java.util.HashMap.get", 1491]]),
      0,
      "disappeared",
    ],
  ])("[PCM-13] [OUR-PCM-03] [OUR-PCM-11] %s tells of what it lacks as its document does", (...given) => {
    const [, newer, most, status] = given;
    const whole = profileComparisonOf(base, newer);
    const short = profileComparisonOf({ ...base, document: null }, { ...newer, document: null });
    expect([whole.source, short.source]).toEqual(["documents", "summaries"]);
    const ofX = ({ owners, methods }: ProfileComparison) => [
      owners.find(({ owner }) => owner === "zz.X"),
      methods.find(({ owner }) => owner === "zz.X"),
    ];
    expect(ofX(short)).toEqual(ofX(whole));
    for (const row of ofX(short))
      expect([row?.target_pct, row?.target_at_most, row?.status]).toEqual(
        most > 0 ? [null, most, status] : [0, null, status],
      );
  });
});

describe("of any two documents", () => {
  it("[PCM-04] [OUR-PCM-11] their summaries tell the same, or a range that holds it, and contradict nothing", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (one, other) => {
        const [base, target] = [kept(one), kept(other, hourLater)];
        const whole = profileComparisonOf(base, target);
        const short = profileComparisonOf({ ...base, document: null }, target);
        expect(whole.categories).toEqual(short.categories);
        expect(whole.base).toEqual(short.base);
        for (const row of short.owners) {
          const same = whole.owners.find(({ owner }) => owner === row.owner);
          if (same === undefined) expect(whole.owners_truncated).toBe(true);
          else expectKept(row, same);
        }
        for (const row of short.methods) {
          const same = whole.methods.find(
            ({ method, owner }) => method === row.method && owner === row.owner,
          );
          if (same === undefined) expect(whole.methods_truncated).toBe(true);
          else expectKept(row, same);
        }
      }),
      { numRuns: randomCases(1000) },
    );
  });

  it("[OUR-PCM-05] [OUR-PCM-11] by neither anything disappeared from, or appeared after, what lost samples", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (one, other) => {
        const [base, target] = [kept(one), kept(other, hourLater)];
        for (const { owners, methods, comparability } of [
          profileComparisonOf(base, target),
          profileComparisonOf({ ...base, document: null }, target),
        ]) {
          const cut = comparability.issues.find(({ code }) => code === "owners-incomplete");
          const listed = (side: ProfileSide): string[] =>
            slowStacks(side.document ?? documentOf({})).flatMap(({ frames }) =>
              frames.flatMap(({ name, owner }) => [owner, ...(name === null ? [] : [`${owner} ${name}`])]),
            );
          for (const [status, side, isCut] of [
            ["appeared", base, cut?.base ?? null],
            ["disappeared", target, cut?.target ?? null],
          ] as const) {
            if (isCut === null) continue;
            const names = [
              ...owners.filter((row) => row.status === status).map(({ owner }) => owner),
              ...methods
                .filter((row) => row.status === status)
                .map(({ method, owner }) => `${owner} ${method}`),
            ];
            const known = new Set(listed(side));
            expect(names.filter((name) => !known.has(name))).toEqual([]);
          }
        }
      }),
      { numRuns: randomCases(300) },
    );
  });
});

type Row = ProfileComparison["categories"][number];
type Change = Omit<Row, "category">;

/** What more may come of what a summary tells: a status that a range told may turn out to be a known one. */
const refined: Readonly<Record<Row["status"], readonly Row["status"][]>> = {
  appeared: ["appeared"],
  disappeared: ["disappeared"],
  stable: ["stable"],
  up: ["up", "appeared"],
  down: ["down", "disappeared"],
  unknown: ["appeared", "disappeared", "stable", "up", "down", "unknown"],
};

/** The row of two documents is within that of their summaries, and says the same where that says anything. */
function expectKept(short: Change, whole: Change): void {
  for (const side of ["base", "target"] as const) {
    const [told, known] = [short[`${side}_pct`], whole[`${side}_pct`]];
    // A complete list may leave out owners of less than 0.1 percent.
    if (told === 0 && known !== null) expect(known).toBeLessThan(0.1);
    else if (told !== null) expect(known).toBe(told);
    else expect(known ?? whole[`${side}_at_most`]).toBeLessThanOrEqual(short[`${side}_at_most`] ?? NaN);
  }
  const isLeftOut = short.base_pct !== whole.base_pct && short.base_pct !== null;
  const isRightOut = short.target_pct !== whole.target_pct && short.target_pct !== null;
  if (isLeftOut || isRightOut) return;
  // A range that is all above 0, or all below, may hold changes that are too small to tell.
  const isSmall = short.delta_points === null && Math.abs(whole.delta_points ?? 1) < 0.1;
  if (!isSmall) expect(refined[short.status]).toContain(whole.status);
}
