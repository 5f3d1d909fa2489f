import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeOf } from "../../../src/core/profile/change.ts";
import { profileComparisonOf } from "../../../src/core/profile/compare.ts";
import { summaryOwners, type SummaryBody } from "../../../src/core/profile/profile.ts";
import { dice } from "../../support/dice.ts";
import { later, manyOwners, sideOf, summaryOf, type Owner } from "./compared-profiles.ts";
import { randomCases } from "../../support/long.ts";

const known = (pct: number) => ({ pct, atMost: null, isAbsent: pct === 0 });

/** How often each of `samples` draws hits a share, percent of them. */
function drawn(random: () => number, pct: number, samples: number): number {
  let hits = 0;
  for (let draw = 0; draw < samples; draw += 1) if (random() * 100 < pct) hits += 1;
  return (hits / samples) * 100;
}

describe("noise", () => {
  it.each([
    [20, 400, 20, 400],
    [3, 1000, 8, 300],
    [60, 250, 45, 2000],
    [50, 200, 99, 200],
  ])(
    "[PCM-15] [OUR-PCM-04] two deviations of %s percent of %s samples against %s percent of %s, as drawn 6,000 times",
    (base, baseTicks, target, targetTicks) => {
      const random = dice(base * 7919 + targetTicks);
      const deltas = Array.from(
        { length: 6000 },
        () => drawn(random, target, targetTicks) - drawn(random, base, baseTicks),
      );
      const mean = deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
      const variance = deltas.reduce((sum, delta) => sum + (delta - mean) ** 2, 0) / (deltas.length - 1);
      const { noise_points } = changeOf(known(base), known(target), { base: baseTicks, target: targetTicks });
      expect((noise_points ?? 0) / (2 * Math.sqrt(variance))).toBeCloseTo(1, 1);
    },
  );

  it("[PCM-15] [OUR-PCM-04] of shares that did not change, about one in twenty seems to beyond its noise", () => {
    const random = dice(20_261_120);
    const ticks = { base: 600, target: 900 };
    const beyond = Array.from({ length: 4000 }, () => {
      const [base, target] = [drawn(random, 12, ticks.base), drawn(random, 12, ticks.target)];
      return changeOf(known(base), known(target), ticks).beyond_noise;
    });
    const rate = beyond.filter((is) => is === true).length / beyond.length;
    expect(rate).toBeGreaterThan(0.03);
    expect(rate).toBeLessThan(0.065);
  });

  it("[OUR-PCM-04] more samples are never more noise, and swapped sides have the same", () => {
    const pct = fc.integer({ min: 0, max: 10_000 }).map((share) => known(share / 100));
    const samples = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(pct, pct, samples, samples, samples, (one, other, base, target, more) => {
        const noise = changeOf(one, other, { base, target }).noise_points ?? NaN;
        expect(changeOf(other, one, { base: target, target: base }).noise_points).toBe(noise);
        expect(changeOf(one, other, { base: base + more, target }).noise_points).toBeLessThanOrEqual(noise);
      }),
    );
  });
});

/** What is kept of a whole list: the ten heaviest, and that so many percent of samples are in the tree. */
function keep(owners: readonly Owner[]): Partial<SummaryBody> {
  const held = owners.reduce((sum, { self_pct }) => sum + Math.round(self_pct * 100), 0) / 100;
  return {
    owners: owners.slice(0, summaryOwners),
    owners_complete: owners.length <= summaryOwners,
    categories: [{ category: "plugin", pct: held }],
  };
}

describe("what a cut list says", () => {
  const changes = (base: Partial<SummaryBody>, target: Partial<SummaryBody>) =>
    profileComparisonOf(sideOf(summaryOf(base)), later(summaryOf(target))).owners;

  it("[PCM-13] [PCM-14] [OUR-PCM-03] [OUR-PCM-05] is true of the whole one, whatever was cut off", () => {
    fc.assert(
      fc.property(manyOwners, manyOwners, (base, target) => {
        const pctIn = (owners: readonly Owner[], name: string) =>
          owners.find(({ owner }) => owner === name)?.self_pct ?? 0;
        for (const row of changes(keep(base), keep(target))) {
          const [from, to] = [pctIn(base, row.owner), pctIn(target, row.owner)];
          const delta = Math.round((to - from) * 100) / 100;
          expect(row.base_pct ?? from).toBe(from);
          expect(row.target_pct ?? to).toBe(to);
          expect(from).toBeLessThanOrEqual(row.base_at_most ?? 100);
          expect(to).toBeLessThanOrEqual(row.target_at_most ?? 100);
          expect(delta).toBeGreaterThanOrEqual(row.delta_points ?? row.delta_min ?? NaN);
          expect(delta).toBeLessThanOrEqual(row.delta_points ?? row.delta_max ?? NaN);
          const truth = {
            appeared: from === 0 && to > 0,
            disappeared: from > 0 && to === 0,
            up: delta > 0,
            down: delta < 0,
            stable: Math.abs(delta) < 0.1,
            unknown: true,
          };
          expect(truth[row.status]).toBe(true);
        }
      }),
      { numRuns: randomCases(300) },
    );
  });

  it("[OUR-PCM-05] never that one appeared in, or disappeared from, what may have been cut off", () => {
    fc.assert(
      fc.property(manyOwners, manyOwners, (base, target) => {
        const [one, other] = [keep(base), keep(target)];
        const rows = changes(one, other);
        const told = (status: string) => rows.filter((row) => row.status === status);
        for (const row of one.owners_complete === false ? told("appeared") : []) expect(row.base_pct).toBe(0);
        for (const row of other.owners_complete === false ? told("disappeared") : []) {
          expect(row.target_pct).toBe(0);
          expect(other.owners?.map(({ owner }) => owner)).toContain(row.owner);
        }
        for (const row of rows.filter(({ delta_points }) => delta_points === null)) {
          const holdsNone = (row.delta_min ?? 0) <= 0 && (row.delta_max ?? 0) >= 0;
          expect(row.status === "unknown").toBe(holdsNone);
        }
      }),
      { numRuns: randomCases(300) },
    );
  });
});
