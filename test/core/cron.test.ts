import { readFileSync } from "node:fs";
import { Cron as Croner } from "croner";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fires, longestCron, nextFire, parseCron } from "../../src/core/cron.ts";
import { nextRun, scheduleProblem, scheduleQuotaProblem } from "../../src/core/auto-bench/schedule.ts";
import { sharedData } from "../support/shared-data.ts";
import { processorMs } from "../support/processor-time.ts";

const now = Date.UTC(2026, 10, 20, 8);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const published = sharedData("web/cron_strings.json");

/** The first fires as another implementation of the same rules finds them; null where it refuses the text. */
function cronerFires(text: string, count: number): number[] | null {
  try {
    const cron = new Croner(text, { timezone: "UTC", mode: "5-part", paused: true });
    return cron.nextRuns(count, new Date(now)).map((date) => date.getTime());
  } catch {
    return null;
  }
}

function ourFires(text: string, count: number, until = now + 366 * dayMs): number[] | null {
  const cron = parseCron(text);
  if (!cron) return null;
  const found: number[] = [];
  for (const at of fires(cron, now, until)) if (found.push(at) === count) break;
  return found;
}

/** What the other implementation knows and we leave out, or reads by another rule for days. */
const beyondUs = /[@#?]|\d[LW]|[A-Z]{4}/i;
/** Where croner 11.0.0 leaves out the first of the month behind a month without a 31st. */
const skipsShortMonths = new Set(["0 0 1,15,31 * *"]);
const starredDays = /^\S+ \S+ (?:\*\/\S+ \S+ (?!\*)|(?!\*)\S+ \S+ \*\/)/;

describe.skipIf(published === null)("the published expressions of other implementations", () => {
  it("[OUR-AUT-10] are refused, or fire when another implementation says they do", () => {
    const all = JSON.parse(readFileSync(published ?? "", "utf8")) as { expr: string }[];
    const texts = [...new Set(all.map(({ expr }) => expr))];
    const counts = { accepted: 0, refused: 0, refusedByUsAlone: 0, sameFires: 0, otherDayRule: 0 };
    const tooLenient: string[] = [];
    const different: string[] = [];
    for (const text of texts) {
      const ours = ourFires(text, 10);
      const theirs = cronerFires(text, 10);
      counts[ours ? "accepted" : "refused"] += 1;
      if (!ours && theirs) counts.refusedByUsAlone += 1;
      if (ours && !theirs) tooLenient.push(text);
      if (!ours || !theirs) continue;
      if (starredDays.test(text.trim())) counts.otherDayRule += 1;
      else if (theirs.filter((at) => at <= now + 366 * dayMs).join() === ours.join()) counts.sameFires += 1;
      else if (!skipsShortMonths.has(text)) different.push(text);
    }
    console.log(`${texts.length} published expressions: ${JSON.stringify(counts)}`);
    expect({ tooLenient, different }).toEqual({ tooLenient: [], different: [] });
    expect(counts.accepted).toBeGreaterThan(50);
    for (const text of texts.filter((each) => beyondUs.test(each))) expect(parseCron(text), text).toBeNull();
  });
});

const field = (min: number, max: number) => {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const stepped = fc
    .tuple(range, fc.integer({ min: 1, max: max - min + 1 }))
    .map(([text, step]) => `${text}/${step}`);
  const part = fc.oneof(value.map(String), range, stepped);
  return fc.oneof(
    fc.constant("*"),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(",")),
  );
};
const schedule = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
  .map((fields) => fields.join(" "));

/** Whether the text says that it fires in this minute, read afresh for each one. */
function firesIn(text: string, at: number): boolean {
  const date = new Date(at);
  const values = [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1];
  const fields = text.split(" ");
  const holds = (index: number, value: number): boolean =>
    (fields[index] ?? "").split(",").some((part) => {
      const [range = "", step = "1"] = part.split("/");
      const [from = 0, to = from] = range === "*" ? [0, 99] : range.split("-").map(Number);
      return value >= from && value <= to && (value - from) % Number(step) === 0;
    });
  const weekday = holds(4, date.getUTCDay()) || (date.getUTCDay() === 0 && holds(4, 7));
  const day = holds(2, values[2] ?? 0);
  const either = fields[2] !== "*" && fields[4] !== "*";
  const dayHolds = either ? day || weekday : day && weekday;
  return holds(0, values[0] ?? 0) && holds(1, values[1] ?? 0) && holds(3, values[3] ?? 0) && dayHolds;
}

describe("a schedule", () => {
  it("[OUR-AUT-10] fires in exactly the minutes its five fields name, in UTC", () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: 0, max: 700 }), (text, days) => {
        const from = now + days * dayMs + 17_000;
        const until = from + 2 * dayMs;
        const cron = parseCron(text);
        if (!cron) throw new Error(text);
        const expected: number[] = [];
        for (let at = from - (from % minuteMs) + minuteMs; at <= until; at += minuteMs)
          if (firesIn(text, at)) expected.push(at);
        expect([...fires(cron, from, until)]).toEqual(expected);
        expect(nextFire(cron, from) ?? Infinity).toBe(expected[0] ?? nextFire(cron, until) ?? Infinity);
      }),
      { numRuns: 60 },
    );
  });

  it("[OUR-AUT-11] is refused exactly when two fires of a year are less than an hour apart, or none is", () => {
    const seen = { tooOften: 0, never: 0, accepted: 0 };
    fc.assert(
      fc.property(schedule, (text) => {
        const cron = parseCron(text);
        if (!cron) throw new Error(text);
        const all = [...fires(cron, now, now + 366 * dayMs)];
        const close = all.some((at, index) => index > 0 && at - (all[index - 1] ?? 0) < 60 * minuteMs);
        const problem = scheduleProblem(text, now);
        if (close) expect(problem).toContain("60 minutes");
        else if (all.length === 0) expect(problem).toContain("366 days");
        else expect(problem).toBeNull();
        seen[close ? "tooOften" : all.length === 0 ? "never" : "accepted"] += 1;
      }),
      { numRuns: 60 },
    );
    console.log(`random schedules: ${JSON.stringify(seen)}`);
  });

  it.each([
    ["0 4 * * *", null],
    ["0 * * * *", null],
    ["  30 4 * JAN-DEC mon,wed-fri ", null],
    ["30 4 * * FRI-SUN", null],
    ["30 4 1 * 0-7", null],
    ["0 0 1 1 *", null],
    ["0,59 4 * * *", "60 minutes"],
    ["0,30 4 * * *", "60 minutes"],
    ["30 23 * * *", null],
    ["0,59 0,23 * * *", "60 minutes"],
    ["*/5 * * * *", "60 minutes"],
    ["0 0 31 2 *", "366 days"],
    ["0 0 29 2 *", "366 days"],
    ["", "five fields"],
    ["0 4 * *", "five fields"],
    ["0 0 4 * * *", "five fields"],
    ["@daily", "five fields"],
    ["0 4 L * *", "five fields"],
    ["0 4 15W * *", "five fields"],
    ["0 4 * * 5#1", "five fields"],
    ["0 4 ? * *", "five fields"],
    ["60 4 * * *", "five fields"],
    ["0 24 * * *", "five fields"],
    ["0 4 0 * *", "five fields"],
    ["0 4 * 13 *", "five fields"],
    ["0 4 * * 8", "five fields"],
    ["0 22-2 * * *", "five fields"],
    ["0 4/2 * * *", "five fields"],
    ["0 */0 * * *", "five fields"],
    ["0 */25 * * *", "five fields"],
    ["0 4, * * *", "five fields"],
    ["0 4 * * MONDAY", "five fields"],
    ["0 4 * MON *", "five fields"],
    ["0 -4 * * *", "five fields"],
    ["0 4\u00a0* * *", "five fields"],
    [`0 4 * * ${"1,".repeat(longestCron)}1`, "five fields"],
  ])("[AUT-05] [OUR-AUT-11] %j is taken, or refused with what it takes", (text, problem) => {
    if (problem === null) expect(scheduleProblem(text, now)).toBeNull();
    else expect(scheduleProblem(text, now)).toContain(problem);
  });

  it("[OUR-AUT-12] asks for no more runs in 24 hours than the plan has", () => {
    expect(scheduleQuotaProblem("0 */6 * * *", 3, 12)).toBeNull();
    expect(scheduleQuotaProblem("0 */6 * * *", 3, 11)).toContain("12");
    expect(scheduleQuotaProblem("0 * * * MON", 1, 23)).toContain("24");
  });

  it("[OUR-AUT-12] says when a target runs next: never while it is off or has no schedule", () => {
    expect(nextRun({ enabled: true, scheduleCron: "30 4 * * *" }, now)).toBe(Date.UTC(2026, 10, 21, 4, 30));
    expect(nextRun({ enabled: false, scheduleCron: "30 4 * * *" }, now)).toBeNull();
    expect(nextRun({ enabled: true, scheduleCron: null }, now)).toBeNull();
  });

  it("[OUR-AUT-11] is judged within a few milliseconds, whatever it says", () => {
    const longest = [...Array(59).keys()].join(",");
    for (const text of ["0 * * * *", "0 0 31 2 *", `${longest} * * * *`.slice(0, longestCron)]) {
      expect(processorMs(() => scheduleProblem(text, now))).toBeLessThan(100);
    }
  });
});
