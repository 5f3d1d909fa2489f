import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import {
  unseenLevelState,
  type LevelChange,
  type LevelState,
} from "../../../src/core/health/unusual-level.ts";
import {
  bandFrom,
  baselineWith,
  bucketsOf,
  day,
  five,
  openState,
  openUntil,
  start,
  times,
  usual,
} from "./buckets.ts";
import { randomCases } from "../../support/long.ts";

/** What follows an open finding. */
const after = (values: readonly (number | null)[], baseline = usual, from = openUntil) =>
  stepSlowerThanUsual(openState, bucketsOf(values, from), baseline);

const moved = baselineWith(bandFrom(10, { median: 40, p98: 48 }));

describe("[OUR-HLT-08] the baseline of an open finding", () => {
  it("stands still, whatever that of the day says", () => {
    for (const baseline of [moved, baselineWith()]) {
      const { state, changes } = after(times(100, 40), baseline);
      expect(changes).toEqual([]);
      expect(state.open).toMatchObject({
        since: start,
        baseline: usual,
        evidence: { median: 20, value: 40 },
      });
    }
  });

  it("is replaced by that of the day once the finding has ended", () => {
    const { changes } = after([...times(30, 20), ...times(20, 40)], moved);
    expect(changes.map(({ kind }) => kind)).toEqual(["ended"]);
    expect(after([...times(30, 20), ...times(20, 40)]).changes.map(({ kind }) => kind)).toEqual([
      "ended",
      "opened",
    ]);
  });
});

describe("[OUR-HLT-09] an open finding ends", () => {
  // From the fifth usual bucket on the median of nine is usual.
  const untilUsual = 4;

  it("after 12 buckets at which it is not felt, not after 11", () => {
    expect(after(times(untilUsual + 11, 20)).changes).toEqual([]);
    expect(after(times(untilUsual + 12, 20)).changes).toEqual([
      { kind: "ended", reason: "recovered", since: start, at: openUntil + (untilUsual + 11) * five },
    ]);
  });

  it("counts anew after it was felt again", () => {
    // Four of the five count as well: the median follows at the fifth.
    const again = [...times(untilUsual + 7, 20), ...times(5, 40)];
    expect(after([...again, ...times(untilUsual + 11, 20)]).changes).toEqual([]);
    expect(after([...again, ...times(untilUsual + 12, 20)]).changes).toHaveLength(1);
  });

  it("by either median, wherever the percentile lies", () => {
    const wide = (median: number) => baselineWith(bandFrom(10, { median, p98: 60 }));
    const endsAt = (median: number, value: number): boolean => {
      const opened = stepSlowerThanUsual(unseenLevelState, bucketsOf(times(9, 90)), wide(median)).state;
      expect(opened.open).not.toBeNull();
      return (
        stepSlowerThanUsual(opened, bucketsOf(times(50, value), openUntil), wide(median)).state.open === null
      );
    };
    expect([endsAt(40, 50), endsAt(40, 49.9)]).toEqual([false, true]);
    expect([endsAt(4, 9), endsAt(4, 8.9)]).toEqual([false, true]);
  });

  it("not because nothing can be judged: a pause of any length, or players without a baseline", () => {
    expect(after(times(20, 20), usual, openUntil + 3 * day).state.open).toBeNull();
    expect(after(times(6, 20), usual, openUntil + 3 * day).state.open).not.toBeNull();
    expect(after(times(8, 40), usual, openUntil + 3 * day).state.open?.since).toBe(start);
    const crowded = bucketsOf(times(200, 20), openUntil, 300);
    expect(stepSlowerThanUsual(openState, crowded, usual).state.open?.since).toBe(start);
  });

  it("counts on after buckets that cannot be judged", () => {
    const { state } = after(times(untilUsual + 11, 20));
    const later = openUntil + day;
    const steppedBy = (count: number) =>
      stepSlowerThanUsual(state, bucketsOf(times(count, 20), later), usual);
    expect(steppedBy(6).state.open).not.toBeNull();
    expect(steppedBy(7).state.open).toBeNull();
  });

  it("and the next one begins after it, or in the hour in which it ended", () => {
    const again = after([...times(untilUsual + 12, 20), ...times(8, 40)]).state.open;
    expect(again?.since).toBe(openUntil + (untilUsual + 12) * five);
    // Recovered by the median while every other bucket was slow: since lies in the last of them.
    const { changes } = after([...times(untilUsual + 9, 20), ...times(3, 40), ...times(8, 40)]);
    expect(changes.map(({ kind }) => kind)).toEqual(["ended", "opened"]);
    expect(changes[1]?.since).toBe(openUntil + (untilUsual + 9) * five);
  });
});

describe("[OUR-HLT-10] after 14 days", () => {
  const lasting = 14 * 288 - 9;

  it("an open finding ends as the new normal", () => {
    expect(after(times(lasting, 40)).changes).toEqual([]);
    expect(after(times(lasting + 100, 40), moved).changes).toEqual([
      { kind: "ended", reason: "new_normal", since: start, at: start + 14 * day },
    ]);
  });

  it("what was judged before counts no longer", () => {
    const { state } = after(times(lasting + 1, 40), moved);
    expect(state).toMatchObject({ open: null, recent: [{ band: { median: 40 } }] });
    expect(after(times(lasting + 6, 40)).state.open).toBeNull();
    expect(after(times(lasting + 7, 40)).state.open?.since).toBe(start + 14 * day);
  });

  it("it ends so even if nothing was measured for long, at the next bucket", () => {
    const [change] = after([20], usual, start + 40 * day).changes;
    expect(change).toMatchObject({ reason: "new_normal", at: start + 40 * day });
  });
});

describe("the state", () => {
  const values = fc.array(fc.constantFrom(40, 40, 40, 40, 40, 20, 20, null), { maxLength: 300, size: "max" });
  const players = fc.constantFrom(12, 12, 15, 300);

  it("survives JSON, and one step with all buckets is as many steps with one", () => {
    let changed = 0;
    fc.assert(
      fc.property(values, players, (values, crowd) => {
        const buckets = bucketsOf(values).map(({ at, value }, index) => ({
          at,
          value,
          players: index % 7 ? 12 : crowd,
        }));
        const together = stepSlowerThanUsual(unseenLevelState, buckets, usual);
        let state: LevelState = unseenLevelState;
        const changes: LevelChange[] = [];
        for (const [place, bucket] of buckets.entries()) {
          const kept = JSON.parse(JSON.stringify(state)) as LevelState;
          const step = stepSlowerThanUsual(kept, [bucket], usual, buckets.slice(0, place));
          state = step.state;
          changes.push(...step.changes);
        }
        expect({ state, changes }).toEqual(together);
        changed += changes.length;
      }),
      { seed: 1, numRuns: randomCases(100) },
    );
    expect(changed).toBeGreaterThan(randomCases(50));
  });

  it("does not change by buckets that were seen, or came too late", () => {
    const buckets = bucketsOf([...times(20, 20), null, ...times(9, 40)]);
    const { state } = stepSlowerThanUsual(unseenLevelState, buckets, usual);
    const late = bucketsOf([999], start + 20 * five);
    expect(stepSlowerThanUsual(state, [...buckets, ...late], usual)).toEqual({ state, changes: [] });
  });

  it("is changed by no step in place", () => {
    const before = JSON.stringify(openState);
    after([...times(40, 20), ...times(40, 40)]);
    expect(JSON.stringify(openState)).toBe(before);
  });
});
