import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { DetailBody } from "../../../src/core/profile/profile-detail.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { anyDocument, slowStacks, slowWeights } from "./any-profile.ts";
import { randomCases } from "../../support/long.ts";

/** Machine code may be a method of several owners. */
const keyOf = (owner: string | null, method: string | null): string | null =>
  method === null ? null : `${owner}\n${method}`;

describe("the detail of any document", () => {
  it("[PRO-29] [PRO-30] [PRO-32] [PRO-33] lists what its stacks hold, the owner asked for or not", () => {
    fc.assert(
      fc.property(
        anyDocument,
        fc.constantFrom(null, "Shop", "menu", "server", "other", "nobody"),
        (document, owner) => {
          const told = detailOf(document, owner);
          const stacks = slowStacks(document);
          const matched = told.owner_filter?.matched ?? null;
          const asked = stacks.filter(
            ({ frames }) => owner === null || frames.some((frame) => frame.owner === matched),
          );
          const methods = slowWeights(stacks, (frame) =>
            owner === null || frame.owner === matched ? keyOf(frame.owner, frame.name) : null,
          );

          expect(DetailBody.parse(told)).toEqual(told);
          expect(told.owners).toEqual(detailOf(document, null).owners);
          const whole = Math.max(
            stacks.reduce((sum, { samples }) => sum + samples, 0),
            document.samples.tick ?? 0,
          );
          for (const { owner: of, method, self_pct, total_pct } of told.methods) {
            const { self, total } = methods.get(keyOf(of, method) ?? "") ?? { self: -1, total: -1 };
            expect(self_pct).toBe(Math.round((self * 10_000) / whole) / 100);
            expect(total_pct).toBe(Math.round((total * 10_000) / whole) / 100);
          }
          expect(new Set(told.methods.map(({ owner: of, method }) => keyOf(of, method)))).toEqual(
            new Set(methods.keys()),
          );
          expect(told.paths).toHaveLength(Math.min(10, asked.length));
          expect(told.paths_truncated).toBe(asked.length > 10);
          for (const { ends_pct, self_pct, total_pct, frames, depth, owner_entry_depth } of told.paths) {
            expect(ends_pct).toBeLessThanOrEqual(self_pct ?? 0);
            expect(self_pct).toBeLessThanOrEqual(total_pct ?? 0);
            expect(owner_entry_depth === null).toBe(owner === null);
            if (owner_entry_depth !== null && depth <= 30) {
              expect(frames.findIndex((frame) => frame.owner === matched) + 1).toBe(owner_entry_depth);
            }
          }
          const ends = told.paths.map(({ ends_pct }) => ends_pct);
          expect(ends).toEqual(ends.toSorted((one, other) => other - one));
        },
      ),
      { numRuns: randomCases(500) },
    );
  });

  it("[PRO-29] [OUR-PRO-08] gives owners and methods the shares of the summary", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const summary = summarise(document);
        const { owners, methods } = detailOf(document, null);
        const heads = owners.map(({ owner, plugin, self_pct, total_pct }) => ({
          owner,
          plugin,
          self_pct,
          total_pct,
        }));
        expect(heads.slice(0, 10)).toEqual(summary.owners);
        expect(
          methods
            .filter(({ self_pct }) => (self_pct ?? 0) > 0)
            .slice(0, 10)
            .map(({ method, owner, self_pct }) => ({ method, owner, pct: self_pct })),
        ).toEqual(summary.methods.filter(({ pct }) => pct > 0));
        for (const { self_pct, top_methods } of owners) {
          const top = top_methods.reduce((sum, { pct }) => sum + Math.round(pct * 100), 0);
          // Three shares rounded by half a hundredth each, and the owner's own by less than one.
          expect(top).toBeLessThanOrEqual(Math.round(self_pct * 100) + 2);
        }
      }),
    );
  });
});
