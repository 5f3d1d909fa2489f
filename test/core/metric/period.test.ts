import { describe, expect, it } from "vitest";
import {
  beyondRetention,
  isMistake,
  presetPeriod,
  Range,
  readPeriod,
  viewingWindow,
  type RequestedPeriod,
  type Period,
} from "../../../src/core/metric/period.ts";

const now = Date.UTC(2026, 10, 20, 8);
const hour = 3_600_000;
const day = 24 * hour;
const iso = (instant: number): string => new Date(instant).toISOString();

const mistakeIn = (asked: RequestedPeriod): string | null => {
  const read = readPeriod(asked, now);
  return isMistake(read) ? read.field : null;
};

describe("a period", () => {
  it("[MET-02] is a preset that ends now", () => {
    const hours = [1, 6, 12, 24, 72, 168, 336, 720, 2160, 4320, 8760];
    expect(Range.options.map((range) => presetPeriod(range, now))).toEqual(
      Range.options.map((range, index) => ({ range, from: now - (hours[index] ?? 0) * hour, to: now })),
    );
    expect(readPeriod({ range: "6h" }, now)).toEqual({ range: "6h", from: now - 6 * hour, to: now });
  });

  it("[MET-02] is two instants with their zone, or one that means up to now", () => {
    expect(readPeriod({ from: "2026-11-20T08:00:00+02:00", to: "2026-11-20T07:00:00Z" }, now)).toEqual({
      range: null,
      from: now - 2 * hour,
      to: now - hour,
    });
    expect(readPeriod({ from: iso(now - day) }, now)).toEqual({ range: null, from: now - day, to: now });
    expect(readPeriod({}, now)).toBeNull();
  });

  it("[OUR-MET-01] ends now where `to` is ahead by no more than clocks disagree", () => {
    const ahead = (ms: number) => ({ from: iso(now - hour), to: iso(now + ms) });
    expect(readPeriod(ahead(60_000), now)).toEqual({ range: null, from: now - hour, to: now });
    expect(mistakeIn(ahead(60_001))).toBe("to");
  });

  it.each([
    ["range beside from", { range: "1h", from: iso(now - hour) }, "range"],
    ["range beside to", { range: "1h", to: iso(now) }, "range"],
    ["to alone", { to: iso(now) }, "to"],
    ["from at to", { from: iso(now - hour), to: iso(now - hour) }, "from"],
    ["from behind to", { from: iso(now - hour), to: iso(now - day) }, "from"],
    ["from now on", { from: iso(now) }, "from"],
    [
      "from ahead of now, before a to that ends now",
      { from: iso(now + 1000), to: iso(now + 30_000) },
      "from",
    ],
    ["more than 366 days", { from: iso(now - 366 * day - 1) }, "from"],
  ] as const)("[OUR-MET-01] is refused: %s", (_, asked, field) => {
    expect(mistakeIn(asked)).toBe(field);
  });

  it("[OUR-MET-01] may be 366 days long", () => {
    expect(mistakeIn({ from: iso(now - 366 * day) })).toBeNull();
  });
});

describe("the viewing window", () => {
  const from = (from: number): Period => ({ range: null, from, to: now });

  it("[MET-03] [OUR-MET-02] is the plan's days and a minute on the way", () => {
    expect(beyondRetention(from(now - 30 * day), 30, now)).toBeNull();
    expect(beyondRetention(from(now - 30 * day - 60_000), 30, now)).toBeNull();
    expect(beyondRetention(from(now - 30 * day - 60_001), 30, now)).toMatchObject({
      details: { retention_days: 30, oldest: iso(now - 30 * day) },
    });
  });

  it("[OUR-MET-02] holds for presets too, and says from when on there is something to see", () => {
    expect(beyondRetention(presetPeriod("30d", now), 30, now)).toBeNull();
    expect(beyondRetention(presetPeriod("90d", now), 30, now)?.message).toContain(iso(now - 30 * day));
    expect(beyondRetention(presetPeriod("1y", now), 365, now)).toBeNull();
  });

  it("[OUR-MET-02] is itself within what the plan shows", () => {
    expect(viewingWindow(90, now)).toEqual({ range: null, from: now - 90 * day, to: now });
    expect(beyondRetention(viewingWindow(90, now), 90, now)).toBeNull();
  });
});
