import { expect, it } from "vitest";
import { lastDaySlot } from "../../../src/core/health/day-slot.ts";
import { day, minute, noon } from "./facts.ts";

const ids = Array.from(
  { length: 10_000 },
  (_, index) => `0197aaaa-0000-7000-8000-${String(index).padStart(12, "0")}`,
);

it("[OUR-HLT-72] each server has one time of the day, and none of 288 has many more than its share", () => {
  const counts = new Map<number, number>();
  const wrong: string[] = [];
  for (const id of ids) {
    const slot = lastDaySlot(id, noon);
    const isOfTheDay = slot <= noon && slot > noon - day;
    const around = [slot, slot - 1, slot + day - 1].map((now) => lastDaySlot(id, now));
    if (!isOfTheDay || String(around) !== String([slot, slot - day, slot])) wrong.push(id);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  expect(wrong).toEqual([]);
  expect(counts.size).toBe(288);
  expect([...counts.keys()].every((slot) => slot % (5 * minute) === 0)).toBe(true);
  // 35 on average; with chance alone, five standard deviations are 65.
  expect(Math.max(...counts.values())).toBeLessThan(66);
});
