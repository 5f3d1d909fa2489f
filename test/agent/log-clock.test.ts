import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { datedBy } from "../../src/agent/sources/log-clock.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "../../src/agent/sources/log-line.ts";

const ours = process.env["TZ"];
afterAll(() => {
  if (ours === undefined) delete process.env["TZ"];
  else process.env["TZ"] = ours;
});

/** The instants of these lines in a file that was last written at `writtenAt`, read in the zone `zone`. */
function dated(zone: string, writtenAt: string, clocks: readonly string[]): string[] {
  process.env["TZ"] = zone;
  const stampOf = dayCounter();
  const stamps = clocks.flatMap((clock): Stamp[] => {
    const line: LogLine | null = parseLine(`[${clock}] [Server thread/INFO]: x`);
    return line ? [stampOf(line)] : [];
  });
  expect(stamps.length).toBe(clocks.length);
  const last = stamps.at(-1);
  if (!last) return [];
  const { date } = datedBy(last, Date.parse(writtenAt));
  return stamps.map((stamp) => new Date(date(stamp)).toISOString().replace(".000Z", "Z"));
}

describe.each(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"])(
  "on a machine in %s",
  (zone) => {
    beforeEach(() => void (process.env["TZ"] = zone));

    it("[OUR-AGG-22] a log of any zone is dated by when its file was written", () => {
      // The server lives in UTC, in Tokyo, in India, in Newfoundland, in the Line Islands: one instant.
      const writtenAt = "2026-11-20T22:30:05.200Z";
      for (const clock of ["22:30:05", "07:30:05", "04:00:05", "19:00:05", "12:30:05"]) {
        expect(dated(zone, writtenAt, [clock])).toEqual(["2026-11-20T22:30:05Z"]);
      }
    });

    it("[OUR-AGG-22] midnights are counted, however many", () => {
      const clocks = ["23:00:00", "23:59:59", "00:00:01", "12:00:00", "03:00:00", "03:00:01"];
      expect(dated(zone, "2026-11-22T03:00:01.500Z", clocks)).toEqual([
        "2026-11-20T23:00:00Z",
        "2026-11-20T23:59:59Z",
        "2026-11-21T00:00:01Z",
        "2026-11-21T12:00:00Z",
        "2026-11-22T03:00:00Z",
        "2026-11-22T03:00:01Z",
      ]);
    });

    it("[OUR-AGG-22] two threads that write out of order make no day", () => {
      const clocks = ["12:00:01", "12:00:00", "12:00:02"];
      expect(dated(zone, "2026-11-20T12:00:02.000Z", clocks)).toEqual([
        "2026-11-20T12:00:01Z",
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:02Z",
      ]);
    });

    it("[OUR-AGG-22] a line with its date needs no guess, and nothing is dated after the file was written", () => {
      const clocks = ["05Jul2022 23:41:35.352", "06Jul2022 01:00:00.000"];
      expect(dated(zone, "2022-07-05T23:00:00.000Z", clocks)).toEqual([
        "2022-07-05T21:41:35.352Z",
        "2022-07-05T23:00:00Z",
      ]);
    });
  },
);

describe("in a zone with summer time", () => {
  it("[OUR-AGG-23] the hour that comes twice is resolved by the time the file was written", () => {
    const clock = ["02:30:00"];
    expect(dated("Europe/Berlin", "2026-10-25T00:30:00.300Z", clock)).toEqual(["2026-10-25T00:30:00Z"]);
    expect(dated("Europe/Berlin", "2026-10-25T01:30:00.300Z", clock)).toEqual(["2026-10-25T01:30:00Z"]);
    // Set back by an hour between two lines: no day passed.
    expect(dated("Europe/Berlin", "2026-10-25T01:00:05.000Z", ["02:59:58", "02:00:05"]).at(-1)).toBe(
      "2026-10-25T01:00:05Z",
    );
  });

  it("[OUR-AGG-23] what was written before the change keeps the offset of its time", () => {
    expect(dated("Europe/Berlin", "2026-10-25T11:00:00.000Z", ["20:00:00", "00:10:00", "12:00:00"])).toEqual([
      "2026-10-24T18:00:00Z",
      "2026-10-24T22:10:00Z",
      "2026-10-25T11:00:00Z",
    ]);
    expect(dated("Europe/Berlin", "2026-03-29T10:00:00.000Z", ["20:00:00", "01:59:59", "12:00:00"])).toEqual([
      "2026-03-28T19:00:00Z",
      "2026-03-29T00:59:59Z",
      "2026-03-29T10:00:00Z",
    ]);
  });

  it("[OUR-AGG-23] a file that was copied since says nothing of the zone: this machine's is taken", () => {
    expect(dated("Europe/Berlin", "2026-11-20T15:37:41.000Z", ["11:00:00"])).toEqual([
      "2026-11-20T10:00:00Z",
    ]);
    expect(dated("Europe/Berlin", "2026-11-20T05:37:41.000Z", ["11:00:00"])).toEqual([
      "2026-11-19T10:00:00Z",
    ]);
  });
});
