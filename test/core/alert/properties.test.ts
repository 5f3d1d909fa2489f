import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { evaluate } from "../../../src/core/alert/evaluate.ts";
import type { AlertChange } from "../../../src/core/alert/verdict.ts";
import { Driver } from "./driver.ts";
import { SlowModel } from "./slow-model.ts";
import { world } from "./world.ts";
import { randomCases } from "../../support/long.ts";

const seen = new Map<string, number>();
const label = (change: AlertChange): string => {
  if (change.kind === "resolve") return `resolve ${change.reason}`;
  if (change.kind === "worsen") return "worsen";
  if (change.kind === "tell") return "tell";
  return `open ${change.quiet ?? "told"}${change.flapping ? " (flapping)" : ""}`;
};

afterAll(() => {
  const lines = [...seen].sort().map(([what, count]) => `  ${what}: ${count}`);
  console.log(`changes that the random histories led to\n${lines.join("\n")}`);
});

describe("any history", () => {
  it("leads to what the decisions say, as a model without memory reads them", () => {
    fc.assert(
      fc.property(world, ({ rule, history }) => {
        const driver = new Driver(rule);
        const outcomes = history.map((entry) => driver.take(entry));
        for (const change of outcomes.flatMap((outcome) => outcome.changes)) {
          seen.set(label(change), (seen.get(label(change)) ?? 0) + 1);
        }
        expect(outcomes).toEqual(new SlowModel(rule, history).outcomes());
      }),
      { numRuns: randomCases(5000) },
    );
    for (const what of [
      "open told",
      "open maintenance",
      "open muted",
      "open cooldown",
      "open flapping (flapping)",
    ]) {
      expect(seen.get(what), what).toBeGreaterThan(10);
    }
  });

  it("changes nothing more when its last fact is seen again", () => {
    fc.assert(
      fc.property(world, ({ rule, history }) => {
        const driver = new Driver(rule);
        for (const entry of history) {
          driver.take(entry);
          const again = evaluate(driver.rule, driver.open, entry.fact);
          expect(again.changes).toEqual([]);
          expect(again.progress).toBe(driver.rule.progress);
        }
      }),
      { numRuns: randomCases(500) },
    );
  });
});
