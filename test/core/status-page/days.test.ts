import { expect, it } from "vitest";
import { percentOfDays, publicDay } from "../../../src/core/status-page/days.ts";
import { pastDaysCache } from "../../../src/services/status-page/past-days.ts";
import { hourMs } from "../../../src/core/time.ts";

const day = (up: number, down: number, stopped = 0, maintenance = 0) => ({
  up_seconds: up,
  down_seconds: down,
  stopped_seconds: stopped,
  maintenance_seconds: maintenance,
});

it("[OUR-STP-08] a day is full, partial from 95 %, major below, off, or unknown", () => {
  expect(publicDay(day(86_400, 0)).kind).toBe("full");
  expect(publicDay(day(86_399, 1)).kind).toBe("partial");
  expect(publicDay(day(9500, 500)).kind).toBe("partial");
  expect(publicDay(day(9499, 501))).toEqual({ kind: "major", down_seconds: 501 });
  expect(publicDay(day(0, 86_400)).kind).toBe("major");
  expect(publicDay(day(0, 0, 5)).kind).toBe("off");
  expect(publicDay(day(0, 0, 0, 5)).kind).toBe("off");
  expect(publicDay(day(0, 0)).kind).toBe("unknown");
});

it("[OUR-STP-08] the percentage of all days never says 100 of an outage", () => {
  expect(percentOfDays([day(86_400, 0), day(86_399, 1)])).toBe(99.99);
  expect(percentOfDays([day(0, 0, 9)])).toBeNull();
  expect(percentOfDays([])).toBeNull();
});

it("[OUR-STP-15] past days are worked out once in six hours, and anew for another period", async () => {
  const cache = pastDaysCache();
  let read = 0;
  const of = (now: number, from = 0, server = "s") =>
    cache.of(`${server} ${from} 10`, now, async () => [day((read += 1), 0)]);
  await of(0);
  await of(6 * hourMs - 1);
  expect(read).toBe(1);
  await of(6 * hourMs);
  expect(read).toBe(2);
  await of(6 * hourMs, 1);
  expect(read).toBe(3);
  // The clock was set back.
  await of(hourMs, 1);
  expect(read).toBe(4);
  for (let server = 0; server < 500; server += 1) await of(hourMs, 1, `other ${server}`);
  await of(hourMs, 1);
  expect(read).toBe(505);
});
