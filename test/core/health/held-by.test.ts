import { expect, it } from "vitest";
import { findingsOf } from "../../../src/core/health/evaluate.ts";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import { bandFrom, baselineWith, bucketsOf, openState, openUntil, times } from "./buckets.ts";
import { factsOf } from "./facts.ts";

/** The finding after nine more buckets of this many ms; usual is 20, and more than 40 is rare. */
function findingAt(value: number) {
  const wide = baselineWith(bandFrom(10, { median: 20, p98: 40 }));
  const open = openState.open && { ...openState.open, baseline: wide };
  const { state } = stepSlowerThanUsual(
    { ...openState, recent: [], open },
    bucketsOf(times(9, value), openUntil),
    wide,
  );
  const facts = factsOf({ usual: { baseline: wide, slowness: state.open, past: [] } });
  return findingsOf(facts).find(({ code }) => code === "slower_than_usual");
}

it("[OUR-HLT-82] a finding shows the limit that its figure is beyond", () => {
  expect(findingAt(44)).toMatchObject({ evidence: [{ value: 44, threshold: 40 }, {}, {}, {}, {}] });
  expect(findingAt(44)).not.toHaveProperty("heldBy");
  // Above 25 ms, 1.25 times the median, and below what is rare.
  expect(findingAt(32)).toMatchObject({
    heldBy: "median",
    evidence: [{ value: 32, threshold: 25 }, {}, {}, {}, {}],
  });
});
