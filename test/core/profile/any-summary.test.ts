import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProfileDocument } from "../../../src/core/profile/document.ts";
import { SummaryBody } from "../../../src/core/profile/profile.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { anyDocument, slowStacks, slowWeights } from "./any-profile.ts";
import { randomCases } from "../../support/long.ts";

const sumOf = (pcts: readonly number[]): number =>
  pcts.reduce((sum, pct) => sum + Math.round(pct * 100), 0) / 100;
describe("the summary of any document", () => {
  it("[PRO-12] [PRO-13] [PRO-14] [PRO-15] [PRO-19] has bounded lists of shares in order", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const summary = summarise(document);
        const { owners, methods, categories, samples } = summary;
        const held = slowStacks(document).reduce((sum, { samples }) => sum + samples, 0);
        const whole = Math.max(held, document.samples.tick ?? 0);
        const exact = slowWeights(slowStacks(document), ({ owner }) => owner);

        expect(SummaryBody.parse(summary)).toEqual(summary);
        expect(summarise(document)).toEqual(summary);
        expect(samples.tick ?? 0).toBe(whole);
        expect(owners.length).toBe(Math.min(10, exact.size));
        const expected = whole > 0 ? Math.floor((held * 10_000) / whole) / 100 : 0;
        if (exact.size <= 10) expect(sumOf(owners.map(({ self_pct }) => self_pct))).toBe(expected);
        expect(sumOf(categories.map(({ pct }) => pct))).toBe(expected);
        // Ten shares rounded by half a hundredth each, against a sum rounded down.
        expect(sumOf(methods.map(({ pct }) => pct))).toBeLessThanOrEqual(Math.min(expected + 0.06, 100.05));
        for (const { owner, self_pct, total_pct } of owners) {
          const { self, total } = exact.get(owner) ?? { self: -1, total: -1 };
          expect(self_pct).toBeLessThanOrEqual(total_pct);
          expect(Math.abs(self_pct - (self * 100) / whole)).toBeLessThan(0.0101);
          expect(Math.abs(total_pct - (total * 100) / whole)).toBeLessThan(0.0101);
        }
        const work = categories.filter(({ category }) => category !== "other");
        for (const pcts of [owners.map(({ self_pct }) => self_pct), ...[methods, work].map(pctsOf)])
          expect(pcts).toEqual(pcts.toSorted((one, other) => other - one));
        if (work.length < categories.length) expect(categories.at(-1)?.category).toBe("other");
      }),
      { numRuns: randomCases(500) },
    );
  });

  it("[OUR-PRO-13] is summed up alike in whatever order its calls stand", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(summarise(breadthFirst(document))).toEqual(summarise(document));
      }),
    );
  });
});

const pctsOf = (rows: readonly { pct: number }[]): number[] => rows.map(({ pct }) => pct);

/** The same tree level by level, siblings from the last to the first. */
function breadthFirst(document: ProfileDocument): ProfileDocument {
  const { nodes } = document;
  const order = [-1];
  for (const from of order) {
    for (let node = nodes.length - 1; node >= 0; node -= 1)
      if (nodes[node]?.parent === from) order.push(node);
  }
  const placed = order.slice(1);
  return {
    ...document,
    nodes: placed.map((node) => ({
      parent: placed.indexOf(nodes[node]?.parent ?? -1),
      frame: nodes[node]?.frame ?? 0,
      samples: nodes[node]?.samples ?? 0,
    })),
  };
}
