import { Cron as Croner } from "croner";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  nextStart,
  planned,
  recurrenceProblem,
  startsBetween,
  type RecurringRecord,
} from "../../../src/core/maintenance/recurring.ts";
import { weekdays, weeklyCron, weeklyOf } from "../../../src/core/maintenance/weekly.ts";
import {
  hasBegun,
  isInMaintenance,
  maintenanceAt,
  toMaintenance,
  windowAt,
  type ServerMaintenance,
} from "../../../src/core/maintenance/server-maintenance.ts";
import { timeZoneOf } from "../../../src/core/maintenance/zoned-time.ts";
import { dayMs, hourMs, minuteMs, toTimestamp } from "../../../src/core/time.ts";

const berlin = "Europe/Berlin";
const utc = (text: string): number => Date.parse(`${text}Z`);
const starts = (cron: string, timeZone: string, from: string, to: string): string[] =>
  startsBetween({ cron, timeZone }, utc(from), utc(to)).map((at) => toTimestamp(at).slice(0, 16));

const weekly = (changes: Partial<RecurringRecord> = {}, now = utc("2026-11-20T08:00")): RecurringRecord =>
  planned(
    {
      id: "weekly",
      serverId: "server",
      title: "Backup",
      cron: "30 2 * * *",
      timeZone: berlin,
      durationMinutes: 60,
      enabled: true,
      createdAt: now,
      updatedAt: now,
      ...changes,
    },
    now,
  );

const written = (...recurring: RecurringRecord[]): ServerMaintenance => ({ last: null, recurring });

describe("times in a zone", () => {
  it("[OUR-MNT-07] follow the clock of the zone through the year", () => {
    expect(starts("30 2 * * *", berlin, "2026-01-10T00:00", "2026-01-11T12:00")).toEqual([
      "2026-01-10T01:30",
      "2026-01-11T01:30",
    ]);
    expect(starts("30 2 * * *", berlin, "2026-07-10T00:00", "2026-07-11T12:00")).toEqual([
      "2026-07-10T00:30",
      "2026-07-11T00:30",
    ]);
    expect(starts("0 5 * * MON", "America/New_York", "2026-07-01T00:00", "2026-07-14T00:00")).toEqual([
      "2026-07-06T09:00",
      "2026-07-13T09:00",
    ]);
  });

  it("[OUR-MNT-07] begin once where the clock shows them twice", () => {
    expect(starts("30 2 * * *", berlin, "2026-10-24T12:00", "2026-10-26T12:00")).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(starts("0 * * * *", berlin, "2026-10-24T23:30", "2026-10-25T02:30")).toEqual([
      "2026-10-25T00:00",
      "2026-10-25T02:00",
    ]);
    const inThatHour = utc("2026-10-25T01:30");
    expect(nextStart({ cron: "30 2 * * *", timeZone: berlin }, inThatHour)).toBe(utc("2026-10-26T01:30"));
  });

  it("[OUR-MNT-08] begin later by the jump where the clock skips them, and never twice at once", () => {
    const day = ["2026-03-28T12:00", "2026-03-29T12:00"] as const;
    expect(starts("30 2 * * *", berlin, ...day)).toEqual(["2026-03-29T01:30"]);
    expect(starts("0,30 2 * * *", berlin, ...day)).toEqual(["2026-03-29T01:00", "2026-03-29T01:30"]);
    expect(starts("0 2,3 * * *", berlin, ...day)).toEqual(["2026-03-29T01:00"]);
    expect(starts("30 2,3 * * *", berlin, ...day)).toEqual(["2026-03-29T01:30"]);
    expect(starts("15 3 * * *", berlin, ...day)).toEqual(["2026-03-29T01:15"]);
    // 02:45 becomes 03:45, after 03:15.
    expect(starts("45 2 * * *", berlin, ...day)).toEqual(["2026-03-29T01:45"]);
    const next = nextStart({ cron: "15,45 2,3 * * *", timeZone: berlin }, utc("2026-03-28T12:00"));
    expect(next).toBe(utc("2026-03-29T01:15"));
    // A jump of half an hour.
    expect(starts("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00", "2026-10-04T00:00")).toEqual([
      "2026-10-03T15:45",
    ]);
  });

  it("[OUR-MNT-09] give a window its real minutes over a change of the clock", () => {
    for (const [from, start] of [
      ["2026-03-28T12:00", "2026-03-29T00:30"],
      ["2026-10-24T12:00", "2026-10-24T23:30"],
    ] as const) {
      const recurring = weekly({ cron: "30 1 * * *", durationMinutes: 120 }, utc(from));
      const at = utc(start);
      expect(recurring.nextStartsAt).toBe(at);
      const state = written(recurring);
      expect(isInMaintenance(state, at - 1)).toBe(false);
      expect(windowAt(state, at)).toMatchObject({ startedAt: at, endsAt: at + 120 * minuteMs });
      expect(isInMaintenance(state, at + 120 * minuteMs - 1)).toBe(true);
      expect(isInMaintenance(state, at + 120 * minuteMs)).toBe(false);
    }
  });

  it("[OUR-MNT-07] are those of another implementation on days on which no clock is changed", () => {
    const zones = [
      "UTC",
      berlin,
      "America/New_York",
      "Asia/Kolkata",
      "Pacific/Auckland",
      "America/Sao_Paulo",
    ];
    const value = (min: number, max: number) => fc.integer({ min, max }).map(String);
    const part = (min: number, max: number) => fc.oneof(fc.constant("*"), value(min, max));
    const crons = fc
      .tuple(value(0, 59), value(0, 23), part(1, 28), part(1, 12), part(0, 6))
      .map((fields) => fields.join(" "));
    // Neither hemisphere changes its clocks from the 20th of April to the 1st of September.
    const from = utc("2026-04-20T00:00");
    const until = utc("2026-09-01T00:00");
    fc.assert(
      fc.property(crons, fc.constantFrom(...zones), (cron, timeZone) => {
        const theirs = new Croner(cron, { timezone: timeZone, mode: "5-part", paused: true })
          .nextRuns(200, new Date(from))
          .map((date) => date.getTime())
          .filter((at) => at <= until);
        expect(startsBetween({ cron, timeZone }, from, until), `${cron} ${timeZone}`).toEqual(theirs);
      }),
      { numRuns: 15 },
    );
  });

  it("[OUR-MNT-07] of a leap day come true in eight years at the latest", () => {
    const recurrence = { cron: "0 4 29 2 *", timeZone: "UTC" };
    expect(nextStart(recurrence, utc("2026-11-20T00:00"))).toBe(utc("2028-02-29T04:00"));
    expect(nextStart(recurrence, utc("2096-03-01T00:00"))).toBe(utc("2104-02-29T04:00"));
    expect(nextStart({ cron: "0 4 31 2 *", timeZone: "UTC" }, utc("2026-11-20T00:00"))).toBeNull();
  });
});

describe("what is refused", () => {
  const now = utc("2026-11-20T08:00");
  it.each([
    ["30 2 * * MON", berlin, 60, null],
    ["0 0 * * *", "UTC", 1435, null],
    ["0 0 * * *", "UTC", 1440, "duration_minutes"],
    ["0 * * * *", "UTC", 59, null],
    ["0 * * * *", "UTC", 60, "duration_minutes"],
    ["*/30 * * * *", "UTC", 5, "schedule_cron"],
    ["0,59 4 * * *", "UTC", 5, "schedule_cron"],
    ["0 0 31 2 *", "UTC", 60, "schedule_cron"],
    ["0 0 29 2 *", "UTC", 60, null],
    ["@daily", "UTC", 60, "schedule_cron"],
    ["0 0 4 * * *", "UTC", 60, "schedule_cron"],
    ["30 2 * * MON", "Europe/Atlantis", 60, "time_zone"],
    ["30 2 * * MON", "+02:00", 60, "time_zone"],
    ["30 2 * * MON", "", 60, "time_zone"],
  ])("[OUR-MNT-14] %s in %s for %d minutes", (cron, timeZone, durationMinutes, field) => {
    expect(recurrenceProblem({ cron, timeZone, durationMinutes }, now)?.field ?? null).toBe(field);
  });

  it("[OUR-MNT-14] names of zones are taken in any case", () => {
    expect(timeZoneOf("europe/berlin")).toBe(berlin);
    expect(timeZoneOf("utc")).toBe("UTC");
    expect(timeZoneOf("a".repeat(65))).toBeNull();
  });
});

describe("windows of recurring maintenance", () => {
  const night = utc("2026-11-21T01:30");

  it("[OUR-MNT-10] [OUR-MNT-17] is reported from its first instant, and the next one before and after", () => {
    const state = written(weekly());
    expect(hasBegun(state, night - 1)).toBe(false);
    const upcoming = (at: number) => ({
      starts_at: toTimestamp(at),
      ends_at: toTimestamp(at + hourMs),
      reason: "Backup",
    });
    expect(toMaintenance("server", state, night - 1)).toMatchObject({
      in_progress: false,
      upcoming: upcoming(night),
    });
    expect(toMaintenance("server", state, night)).toEqual({
      server_id: "server",
      in_progress: true,
      started_at: toTimestamp(night),
      ends_at: toTimestamp(night + hourMs),
      remaining_seconds: 3600,
      reason: "Backup",
      started_by: "schedule",
      upcoming: upcoming(night + dayMs),
    });
    expect(toMaintenance("server", written(), night).upcoming).toBeNull();
  });

  it("[OUR-MNT-12] that meet another window last as long as the later of both", () => {
    const last = {
      serverId: "server",
      startedAt: night - hourMs,
      endsAt: night + 10 * minuteMs,
      toldUntil: night + 10 * minuteMs,
      reason: "Disk",
      startedBy: "api",
    } as const;
    const recurring = [weekly()];
    expect(windowAt({ last, recurring }, night)).toEqual({
      ...last,
      endsAt: night + hourMs,
      toldUntil: night + hourMs,
    });
    const longer = { ...last, endsAt: night + 5 * hourMs, toldUntil: night + 5 * hourMs };
    expect(windowAt({ last: longer, recurring }, night)).toEqual(longer);
    // A window that was started after this one was over is not its own.
    const later = { ...last, startedAt: night + 2 * hourMs, endsAt: night + 3 * hourMs };
    const seen = maintenanceAt({ last: later, recurring }, night + 2 * hourMs);
    expect(seen.last).toEqual(later);
    expect(seen.begun).toMatchObject([{ startedAt: night, endsAt: night + hourMs }]);
  });

  it("[OUR-MNT-11] that nobody saw are counted, of a month and not without end", () => {
    const missed = (recurring: RecurringRecord, now: number) => maintenanceAt(written(recurring), now).begun;
    expect(missed(weekly(), night + 3 * dayMs)).toHaveLength(4);
    expect(missed(weekly(), night + 400 * dayMs)).toHaveLength(31);
    expect(missed(weekly({ cron: "0 * * * *", durationMinutes: 5 }), night + 400 * dayMs)).toHaveLength(100);
    const { recurring } = maintenanceAt(written(weekly()), night + 3 * dayMs);
    expect(recurring[0]?.nextStartsAt).toBe(night + 4 * dayMs);
  });

  it("[OUR-MNT-16] are planned anew after a clock ran ahead", () => {
    const ahead = written(weekly({}, night + 400 * dayMs));
    const seen = maintenanceAt(ahead, night - hourMs);
    expect([seen.begun, seen.last]).toEqual([[], null]);
    expect(seen.recurring[0]?.nextStartsAt).toBe(night);
  });
});

describe("weekly times", () => {
  it("[OUR-MNT-06] are cron expressions, and are read back from them", () => {
    const days = fc.subarray([...weekdays], { minLength: 1 });
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 1439 }), (on, minute) => {
        const time = toTimestamp(minute * minuteMs).slice(11, 16);
        const cron = weeklyCron({ days: on, time }) ?? "";
        expect(weeklyOf(cron)).toEqual({ days: on, time });
        expect(recurrenceProblem({ cron, timeZone: "UTC", durationMinutes: 5 }, 0)).toBeNull();
      }),
      { numRuns: 50 },
    );
    expect(weeklyCron({ days: ["SUN", "MON"], time: "02:30" })).toBe("30 2 * * MON,SUN");
    for (const time of ["", "24:00", "2:30", "02:60"]) expect(weeklyCron({ days: ["MON"], time })).toBeNull();
    expect(weeklyCron({ days: [], time: "02:30" })).toBeNull();
    for (const cron of ["0 4 1 * *", "0 4 * * 1", "0 4 * * XYZ", "*/5 4 * * MON"])
      expect(weeklyOf(cron)).toBeNull();
  });
});
