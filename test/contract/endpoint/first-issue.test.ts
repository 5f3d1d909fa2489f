import { expect, it } from "vitest";
import { untilFirstIssue } from "../../../src/contract/endpoint/input.ts";
import { SampleBatch } from "../../../src/core/metric/reported-sample.ts";

it("[OUR-PLG-05] of a body with 1,000 wrong values one is told, and the others are not looked at", () => {
  let looked = 0;
  const wrong = {
    get sampled_at() {
      looked += 1;
      return "never";
    },
  };
  const samples = Array.from({ length: 1000 }, () => wrong);
  const { error } = SampleBatch.safeParse({ samples }, untilFirstIssue);
  expect(error?.issues.map(({ path }) => path)).toEqual([["samples", 0, "sampled_at"]]);
  expect(looked).toBeLessThan(10);
});
