import { expect, it } from "vitest";
import { isRelativeTime, readTime } from "../../src/core/relative-time.ts";

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
