import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canBeId, isFullId, isShortId } from "../../src/core/id-form.ts";
import { parseInstant, toTimestamp } from "../../src/core/time.ts";

describe("instants", () => {
  it("[PAG-08] are written in UTC with milliseconds, and read back", () => {
    const years = { min: 0, max: Date.parse("2100-01-01T00:00:00Z") };
    fc.assert(fc.property(fc.integer(years), (instant) => parseInstant(toTimestamp(instant)) === instant));
    expect(toTimestamp(0)).toBe("1970-01-01T00:00:00.000Z");
  });

  it("[PAG-08] are written as JavaScript writes dates, which throws for no instant", () => {
    const most = 8_640_000_000_000_000;
    const instants = fc.oneof(
      fc.integer({ min: -most, max: most }),
      fc.integer({ min: 0, max: Date.parse("2100-01-01T00:00:00Z") }),
      fc.double({ min: 0, max: most, noNaN: true }),
    );
    fc.assert(fc.property(instants, (instant) => toTimestamp(instant) === new Date(instant).toISOString()));
    for (const none of [Number.NaN, Infinity, -Infinity, 2 * most, -2 * most])
      expect(() => toTimestamp(none)).toThrow(RangeError);
  });

  it.each([
    ["2026-11-20T07:34:00Z", "2026-11-20T07:34:00.000Z"],
    ["2026-11-20T07:34Z", "2026-11-20T07:34:00.000Z"],
    ["2026-11-20T08:34:00+01:00", "2026-11-20T07:34:00.000Z"],
    ["2026-11-20T00:04:00-0730", "2026-11-20T07:34:00.000Z"],
    ["2026-11-20T07:34:00.123456789Z", "2026-11-20T07:34:00.123Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ])("[PAG-08] reads %s", (text, same) => {
    expect(parseInstant(text)).toBe(Date.parse(same));
  });

  it.each([
    "2026-11-20T07:34:00",
    "2026-11-20",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T07:60:00Z",
    "20261120T073400Z",
    "2026-11-20T07:34:00+15:00",
    "now",
    "1763624040",
    `${"9".repeat(50)}Z`,
    "2026-11-20 07:34:00Z",
  ])("[PAG-05] refuses %s", (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

describe("identifiers", () => {
  it("[REP-05] are lower-case UUIDv7 or 12 characters without look-alikes", () => {
    expect(isFullId("019a9f5e-1d00-7000-8000-000000000010")).toBe(true);
    expect(isFullId("019A9F5E-1D00-7000-8000-000000000010")).toBe(false);
    expect(isFullId("019a9f5e-1d00-4000-8000-000000000010")).toBe(false);
    expect(isShortId("k7m2q9xwpd4e")).toBe(true);
    expect(isShortId("k7m2q9xwpd4l")).toBe(false);
    expect(canBeId("k7m2q9xwpd4e", "full")).toBe(false);
    expect(canBeId("k7m2q9xwpd4e", "full_or_short")).toBe(true);
  });
});
