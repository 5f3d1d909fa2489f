import { expect, it } from "vitest";
import { onceAMinute } from "../../src/core/once-a-minute.ts";
import { handClock } from "../support/clock.ts";

it("[OUR-LOG-04] of alike lines one a minute is written, with the number of those that were left out", () => {
  const clock = handClock(0);
  const lines = onceAMinute(clock.now);
  expect([lines.next("locked"), lines.next("locked"), lines.next("full")]).toEqual([0, null, 0]);
  clock.advance(59_999);
  expect([lines.next("locked"), lines.next("full")]).toEqual([null, null]);
  clock.advance(1);
  expect([lines.next("locked"), lines.next("locked"), lines.next("full")]).toEqual([2, null, 1]);
  clock.advance(120_000);
  expect(lines.next("locked")).toBe(1);
});

it("[OUR-LOG-04] kinds without end keep no memory without end, and none is silent for longer than a minute", () => {
  const lines = onceAMinute(handClock(0).now);
  const kinds = Array.from({ length: 1000 }, (_, index) => `kind ${index}`);
  expect(kinds.map((kind) => lines.next(kind))).toEqual(kinds.map(() => 0));
  // The newest are still known, the oldest are not.
  expect([lines.next("kind 999"), lines.next("kind 0")]).toEqual([null, 0]);
});
