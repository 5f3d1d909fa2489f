import fc from "fast-check";
import { expect, it } from "vitest";
import { digestPeriod, dueWeek, endedWeek, nextDigestAt, weekMs } from "../../../src/core/digest/week.ts";

const at = (text: string): number => Date.parse(text);
const [hour, day] = [3_600_000, 86_400_000];

it("[OUR-DIG-02] a week ends on Monday 08:00 UTC", () => {
  expect(endedWeek(at("2026-11-23T08:00:00Z"))).toBe(at("2026-11-23T08:00:00Z"));
  expect(endedWeek(at("2026-11-23T07:59:59.999Z"))).toBe(at("2026-11-16T08:00:00Z"));
  expect(nextDigestAt(at("2026-11-23T08:00:00Z"))).toBe(at("2026-11-30T08:00:00Z"));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: at("2100-01-01T00:00:00Z") }), (now) => {
      const ended = endedWeek(now);
      expect(new Date(ended).toUTCString()).toMatch(/^Mon, .* 08:00:00 GMT$/);
      expect(now - ended).toBeGreaterThanOrEqual(0);
      expect(now - ended).toBeLessThan(weekMs);
      expect(nextDigestAt(now) - ended).toBe(weekMs);
    }),
  );
});

it("[OUR-DIG-02] a digest is due for 24 hours", () => {
  const monday = at("2026-11-23T08:00:00Z");
  const offsets = [-1, 0, 12 * hour, day, day + 1, 3 * day];
  expect(offsets.map((offset) => dueWeek(monday + offset))).toEqual([
    null,
    monday,
    monday,
    monday,
    null,
    null,
  ]);
});

it("[OUR-DIG-17] a period is seven days, or what the plan shows of them", () => {
  const to = at("2026-11-23T08:00:00Z");
  expect(digestPeriod(to, 30, to + hour)).toEqual({ from: to - 7 * day, to });
  expect(digestPeriod(to, 3, to + hour)).toEqual({ from: to + hour - 3 * day, to });
  expect(digestPeriod(to, 0, to + hour)).toEqual({ from: to, to });
});
