import { describe, expect, it } from "vitest";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import { unseenLevelState } from "../../../src/core/health/unusual-level.ts";
import { bandFrom, baselineWith, bucketsOf, five, opens, start, stepped, times, usual } from "./buckets.ts";

/** Values of which all, or all but those at the ends, are twice the usual. */
const slow = (count: number): number[] => times(count, 40);

describe("[OUR-HLT-05] a finding opens", () => {
  it("with 7 of the last 9 buckets judged, not with 6", () => {
    expect(opens(slow(7))).toBe(true);
    expect(opens(slow(6))).toBe(false);
    expect(opens([...slow(4), null, null, ...slow(3)])).toBe(true);
    expect(opens([...slow(3), null, null, null, ...slow(3)])).toBe(false);
  });

  it("with 80 % of those judged above the 98th percentile", () => {
    // The one that is usual is among the first seven, so that nothing opens before it.
    expect(opens([20, ...slow(6)])).toBe(true);
    expect(opens([20, ...slow(4), 20, ...slow(1)])).toBe(false);
    expect(opens([20, ...slow(3), 20, ...slow(3)])).toBe(false);
    expect(opens([20, ...slow(3), 20, ...slow(4)])).toBe(false);
    // After the first of them is no longer one of nine: 8 of 9.
    expect(opens([20, ...slow(3), 20, ...slow(5)])).toBe(true);
  });

  it("when values lie above the 98th percentile, not on it", () => {
    const baseline = baselineWith(bandFrom(10, { median: 18, p98: 24 }));
    expect(opens(times(9, 24), baseline)).toBe(false);
    expect(opens(times(9, 24.01), baseline)).toBe(true);
  });

  it("when the median of value / band median is 1.25", () => {
    const baseline = baselineWith(bandFrom(10, { median: 40, p98: 44 }));
    expect(opens(times(9, 50), baseline)).toBe(true);
    expect(opens(times(9, 49.9), baseline)).toBe(false);
  });

  it("when the median of value - band median is 5 ms", () => {
    const baseline = baselineWith(bandFrom(10, { median: 4, p98: 5 }));
    expect(opens(times(9, 9), baseline)).toBe(true);
    expect(opens(times(9, 8.9), baseline)).toBe(false);
    const nothing = baselineWith(bandFrom(10, { median: 0, p98: 0 }));
    expect(opens(times(9, 5), nothing)).toBe(true);
    expect(opens([5, 5, 5, 0, 5, 5, 5], nothing)).toBe(true);
    expect(opens(times(9, 0), nothing)).toBe(false);
  });

  it("by the median of the buckets judged, in each its own band's", () => {
    // Above the percentile of 24, but only felt from 25 on.
    expect(opens([...times(4, 24.5), ...times(5, 25)])).toBe(true);
    expect(opens(times(9, 24.5))).toBe(false);
    const baseline = baselineWith(bandFrom(10), bandFrom(20, { median: 40, p98: 48 }));
    const at = (players: number, value: number, index: number) =>
      bucketsOf([value], start + index * five, players);
    const mixed = (value: number) =>
      [0, 1, 2, 3, 4, 5, 6].flatMap((index) => at(index % 2 ? 15 : 25, index % 2 ? 40 : value, index));
    expect(stepSlowerThanUsual(unseenLevelState, mixed(60), baseline).changes).toHaveLength(1);
    expect(stepSlowerThanUsual(unseenLevelState, mixed(45), baseline).changes).toEqual([]);
  });
});

describe("[OUR-HLT-06] a bucket that cannot be judged", () => {
  const others = (count: number, from: number) => bucketsOf(slow(count), from, 300);

  it("does not open a finding, however many there are", () => {
    expect(stepSlowerThanUsual(unseenLevelState, others(50, start), usual).changes).toEqual([]);
    expect(opens(slow(50), baselineWith())).toBe(false);
  });

  it("neither hinders nor helps those beside it", () => {
    const two = [
      ...bucketsOf(slow(4)),
      ...others(2, start + 4 * five),
      ...bucketsOf(slow(3), start + 6 * five),
    ];
    expect(stepSlowerThanUsual(unseenLevelState, two, usual).changes).toHaveLength(1);
    const three = [
      ...bucketsOf(slow(3)),
      ...others(3, start + 3 * five),
      ...bucketsOf(slow(3), start + 6 * five),
    ];
    expect(stepSlowerThanUsual(unseenLevelState, three, usual).changes).toEqual([]);
  });

  it("leaves the beginning where it is: slow, then nothing measured, then slow", () => {
    const [change] = stepped([20, ...slow(3), ...times(60, 0).map(() => null), ...slow(7)]).changes;
    expect(change?.since).toBe(start + five);
  });
});

describe("[OUR-HLT-07] since", () => {
  const sinceOf = (values: readonly number[]): number | undefined => {
    const [change] = stepped(values).changes;
    return change && (change.since - start) / five;
  };

  it("is the first slow bucket", () => {
    expect(sinceOf(slow(9))).toBe(0);
    expect(sinceOf([...times(100, 20), ...slow(9)])).toBe(100);
  });

  it("reaches over a usual bucket where more are slow before it", () => {
    expect(sinceOf([...times(12, 20), ...slow(5), 20, ...slow(6)])).toBe(12);
    expect(sinceOf([...times(12, 20), ...slow(3), 20, 20, 20, ...slow(8)])).toBe(18);
  });

  it("does not reach back to a short burst, nor to what was slow a third of the time", () => {
    expect(sinceOf([...times(12, 20), ...slow(4), ...times(6, 20), ...slow(9)])).toBe(22);
    const third = Array.from({ length: 8 }, () => [...slow(1), 20, 20]).flat();
    expect(sinceOf([...times(9, 20), ...third, ...slow(9)])).toBe(33);
  });

  it("is where the level rose, though buckets after it were not above the 98th percentile", () => {
    expect(sinceOf([...times(24, 20), ...times(10, 22), ...slow(9)])).toBe(34);
    expect(sinceOf([...times(24, 14), ...times(10, 27), ...times(9, 31)])).toBe(24);
  });

  it("of a rise before 6 hours of a level that was not felt is not known: the first slow bucket is", () => {
    expect(sinceOf([...times(12, 20), ...times(90, 22), ...slow(9)])).toBe(102);
  });
});

describe("[OUR-HLT-11] the evidence", () => {
  const baseline = baselineWith(bandFrom(10), bandFrom(20, { median: 30, p98: 36, buckets: 99, days: 6 }));
  const of = (players: readonly number[]) =>
    stepSlowerThanUsual(
      unseenLevelState,
      players.flatMap((count, index) => bucketsOf([50 + index], start + index * five, count)),
      baseline,
    ).state.open?.evidence;

  it("is of the band with most of the buckets", () => {
    expect(of([12, 12, 12, 12, 25, 25, 25])).toEqual({
      ...bandFrom(10),
      value: 51.5,
      measuredAt: start + 6 * five,
    });
    expect(of([12, 25, 12, 25, 25, 25, 12])).toMatchObject({
      playersFrom: 20,
      median: 30,
      p98: 36,
      value: 53.5,
    });
  });

  it("is of the newer of two bands with as many", () => {
    expect(of([12, 12, 12, 12, 25, 25, 25, 25])).toMatchObject({ playersFrom: 20, buckets: 99, days: 6 });
    expect(of([25, 25, 25, 25, 12, 12, 12, 12])).toMatchObject({ playersFrom: 10, buckets: 600, days: 14 });
  });

  it("follows the newest buckets while the finding is open", () => {
    expect(stepped([...slow(9), ...times(9, 60)]).state.open?.evidence).toMatchObject({
      value: 60,
      measuredAt: start + 17 * five,
    });
  });
});
