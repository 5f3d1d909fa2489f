import { expect, it } from "vitest";
import {
  backupWaitMs,
  noHistory,
  withNews,
  type Counted,
  type Moment,
} from "../../../src/core/backup/schedule.ts";
import { dayMs, hourMs, minuteMs } from "../../../src/core/time.ts";

const moment = (boot: string, ticks: number, wall: number): Moment => ({ boot, ticks, wall });
const year = 365 * dayMs;
const began = moment("a", 0, year);
const since = (at: Moment, ms = 0): Counted => ({ key: "x", at, ms });
const waiting = (made: Counted, now: Moment): number =>
  backupWaitMs(withNews(noHistory, { made, failed: null }, now), dayMs, now);

it.each([
  ["an hour later", moment("a", hourMs, year + hourMs), 23 * hourMs],
  ["an hour later, with the date a year ahead", moment("a", hourMs, 2 * year), 23 * hourMs],
  ["an hour later, with the date a year back", moment("a", hourMs, 0), 23 * hourMs],
  ["a day later, with the date a year back", moment("a", dayMs, 0), 0],
  ["after another start, an hour later as the date says", moment("b", 5, year + hourMs), 23 * hourMs],
  ["after another start with the date a year back", moment("b", 5, 0), dayMs],
])("[OUR-CLI-16] a backup is due a period after the last: %s", (_, now, expected) => {
  expect(waiting(since(began), now)).toBe(expected);
});

it("[OUR-CLI-16] what a process counted before the machine started anew is not lost", () => {
  expect(waiting(since(began, 20 * hourMs), moment("b", 5, 0))).toBe(4 * hourMs);
});

it("[OUR-CLI-16] after a failure ten minutes pass, also where the period is shorter", () => {
  const now = moment("a", minuteMs, 0);
  const history = withNews(noHistory, { made: null, failed: since(began) }, now);
  expect(backupWaitMs(history, minuteMs, now)).toBe(9 * minuteMs);
});

it("[OUR-CLI-16] an older backup that is heard of later takes the own one not away, and nothing is heard of twice", () => {
  const now = moment("a", hourMs, year);
  const own = withNews(noHistory, { made: since(now), failed: null }, now);
  const other = { made: { ...since(began), key: "older" }, failed: null };
  expect(withNews(own, other, now).made?.key).toBe("x");
  const ahead = { made: { ...since(moment("b", 0, 9 * year)), key: "ahead" }, failed: null };
  const heard = withNews(own, ahead, moment("a", 3 * hourMs, year));
  const later = moment("a", 5 * hourMs, year);
  expect(backupWaitMs(withNews(heard, ahead, later), dayMs, later)).toBe(22 * hourMs);
});
