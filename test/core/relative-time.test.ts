import fc from "fast-check";
import { expect, it } from "vitest";
import { readPeriod } from "../../src/core/metric/period.ts";
import { isRelativeTime, readTime } from "../../src/core/relative-time.ts";
import { parseInstant, toTimestamp } from "../../src/core/time.ts";
import { WrittenInstant } from "../../src/core/timestamp.ts";

const now = Date.UTC(2026, 10, 22, 18, 5, 30, 250);

it("[OUR-MCP-72] reads ISO 8601, dates, now and so long ago, and nothing else", () => {
  for (const [text, iso] of [
    ["now", "2026-11-22T18:05:30.250Z"],
    ["-90m", "2026-11-22T16:35:30.250Z"],
    ["-24h", "2026-11-21T18:05:30.250Z"],
    ["-7d", "2026-11-15T18:05:30.250Z"],
    ["-0m", "2026-11-22T18:05:30.250Z"],
    ["2026-11-22", "2026-11-22T00:00:00.000Z"],
    ["2026-11-22T19:05:00+01:00", "2026-11-22T18:05:00.000Z"],
  ] as const)
    expect([text, new Date(readTime(text, now) ?? Number.NaN).toISOString()]).toEqual([text, iso]);
  for (const text of [
    "",
    "NOW",
    "24h",
    "+24h",
    "-24",
    "-24s",
    "-1.5h",
    "-999999d",
    "2026-02-30",
    "2026-11-22T18:05:00",
    "yesterday",
    "-７d",
  ])
    expect([text, readTime(text, now)]).toEqual([text, null]);
  expect(["now", "-1m", "2026-11-22"].map(isRelativeTime)).toEqual([true, true, false]);
});

/** An instant between 1971 and 2100, ms. */
const instants = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2100, 0) });
const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const ages = fc.record({
  count: fc.integer({ min: 0, max: 999_999 }),
  unit: fc.constantFrom("m", "h", "d"),
});

it("[OUR-MCP-72] an age is so long before the moment it is read at, and nothing before 1970", () => {
  fc.assert(
    fc.property(instants, ages, (moment, { count, unit }) => {
      const text = `-${count}${unit}`;
      const instant = moment - count * units[unit];
      expect(readTime(text, moment)).toBe(instant < 0 ? null : instant);
      expect(WrittenInstant.safeParse(text).success).toBe(true);
      expect([readTime("now", moment), isRelativeTime(text)]).toEqual([moment, true]);
    }),
  );
});

it("[OUR-MCP-72] a date is its start in UTC, whatever the moment", () => {
  fc.assert(
    fc.property(instants, instants, (moment, other) => {
      const date = toTimestamp(other).slice(0, 10);
      expect(readTime(date, moment)).toBe(Math.floor(other / units.d) * units.d);
      expect(isRelativeTime(date)).toBe(false);
    }),
  );
});

it("[OUR-MCP-72] what ISO 8601 says is read as ever, and what is read can be written back", () => {
  fc.assert(
    fc.property(
      instants,
      fc.oneof(instants.map(toTimestamp), fc.string({ maxLength: 30 })),
      (moment, text) => {
        const exact = parseInstant(text);
        if (exact !== null) expect(readTime(text, moment)).toBe(exact);
        const read = readTime(text, moment);
        if (read !== null) expect(parseInstant(toTimestamp(read))).toBe(read);
        if (read !== null) expect(WrittenInstant.safeParse(text).success).toBe(true);
      },
    ),
  );
});

it("[OUR-HTTP-32] a period in ages is the period in ISO 8601 of that moment; what lies before 1970 is named", () => {
  fc.assert(
    fc.property(instants, ages, ages, (moment, from, to) => {
      const written = { from: `-${from.count}${from.unit}`, to: `-${to.count}${to.unit}` };
      const iso = {
        from: readTime(written.from, moment),
        to: readTime(written.to, moment),
      };
      const period = readPeriod(written, moment);
      const wrong = (["from", "to"] as const).find((field) => iso[field] === null);
      if (wrong === undefined)
        expect(period).toEqual(
          readPeriod({ from: toTimestamp(iso.from ?? 0), to: toTimestamp(iso.to ?? 0) }, moment),
        );
      else expect(period).toMatchObject({ field: wrong });
    }),
  );
});
