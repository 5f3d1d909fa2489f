import { describe, expect, it } from "vitest";
import { baselineOf, type LevelBucket } from "../../../src/core/health/baseline.ts";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import {
  episodeOf,
  unseenLevelState,
  unusualSpans,
  type LevelChange,
  type LevelState,
} from "../../../src/core/health/unusual-level.ts";
import type { LevelBaseline } from "../../../src/core/health/baseline.ts";
import { day, factsOf, hour, minute } from "./facts.ts";

const start = Date.UTC(2026, 9, 1);
const quietDays = 14;

/** 20 ms, and 40 ms on the evenings (18 to 22 h) that `isSlow` names by their day from 0 on. */
const buckets = (days: number, isSlow: (day: number) => boolean): LevelBucket[] =>
  Array.from({ length: (quietDays + days) * 288 }, (_, slot) => {
    const at = start + slot * 5 * minute;
    const place = Math.floor(slot / 288) - quietDays;
    const evening = (at % day) / hour >= 18 && (at % day) / hour < 22;
    return { at, players: 12, value: (evening && place >= 0 && isSlow(place) ? 40 : 20) + (slot % 7) * 0.1 };
  });

interface Followed {
  readonly state: LevelState;
  readonly changes: readonly LevelChange[];
  readonly baseline: LevelBaseline;
}

/** What the service does: a baseline each day, and each bucket as it closes. */
function follow(all: readonly LevelBucket[], until = Infinity): Followed {
  const changes: LevelChange[] = [];
  let state = unseenLevelState;
  let baseline = baselineOf(all, start + quietDays * day);
  for (let at = start + quietDays * day; at < (all.at(-1)?.at ?? 0) && at < until; at += day) {
    const before = all.filter((bucket) => bucket.at < at);
    baseline = baselineOf(before, at, unusualSpans(state), baseline);
    const ofDay = all.filter((bucket) => bucket.at >= at && bucket.at < Math.min(at + day, until));
    const step = stepSlowerThanUsual(state, ofDay, baseline);
    state = step.state;
    changes.push(...step.changes);
  }
  return { state, changes, baseline };
}

const evening = (place: number, hours: number): number => start + (quietDays + place) * day + hours * hour;

describe("[OUR-HLT-79] a slowdown that comes back each evening", () => {
  it("is found on each of 13 evenings, as one episode that began on the first", () => {
    const { changes } = follow(buckets(13, () => true));
    const opened = changes.filter(({ kind }) => kind === "opened");
    expect(opened.map(({ since }) => since)).toEqual(
      Array.from({ length: 13 }, (_, place) => evening(place, 18)),
    );
    const { state } = follow(
      buckets(13, () => true),
      evening(12, 20),
    );
    expect(state.open && episodeOf(state.open)).toBe(evening(0, 18));
  });

  it("is told with its first beginning, its evenings and that it has breaks", () => {
    const { state } = follow(
      buckets(5, () => true),
      evening(3, 20),
    );
    const to = evening(3, 20);
    const usual = { baseline: null, slowness: state.open, past: state.past ?? [] };
    const [finding] = evaluateHealth(factsOf({ to, from: to - day, usual, bootAt: start })).findings;
    expect(finding).toMatchObject({
      code: "slower_than_usual",
      since: new Date(evening(0, 18)).toISOString(),
      intermittent: true,
    });
    expect(finding?.evidence.find(({ key }) => key === "evenings")?.value).toBe(4);
  });

  it("is another episode after more than 36 hours", () => {
    const { state } = follow(
      buckets(6, (place) => place === 0 || place === 3),
      evening(3, 20),
    );
    expect(state.open && episodeOf(state.open)).toBe(evening(3, 18));
    expect(state.past).toHaveLength(1);
  });

  it("is another episode at another time of the day, and the same after a break of an hour or two", () => {
    const at = (from: number, to: number) =>
      buckets(3, () => false).map((bucket) => {
        const time = bucket.at - evening(0, 0);
        const isSlow = [
          [18, 22],
          [from, to],
        ].some(([begin = 0, end = 0]) => time >= begin * hour && time < end * hour);
        return isSlow ? Object.assign({}, bucket, { value: 40 }) : bucket;
      });
    const episodeAt = (all: readonly LevelBucket[], hours: number) => {
      const { open } = follow(all, evening(0, hours)).state;
      return open && (episodeOf(open) - evening(0, 0)) / hour;
    };
    expect(episodeAt(at(33, 36), 35)).toBe(33);
    expect(episodeAt(at(43, 46), 45)).toBe(18);
    expect(episodeAt(at(24.5, 27), 26)).toBe(18);
  });

  it("is usual after 14 days", () => {
    const { changes } = follow(buckets(18, () => true));
    const ended = changes.find((change) => change.kind === "ended" && change.reason === "new_normal");
    expect(ended?.since).toBe(evening(0, 18));
    expect(ended?.at).toBeGreaterThanOrEqual(evening(14, 18));
    const after = changes.filter(({ kind, at }) => kind === "opened" && at > evening(14, 23));
    expect(after).toEqual([]);
  });

  it("leaves a band that would be short of buckets the baseline that it had, with its day", () => {
    const all = buckets(20, () => true).map((bucket) => {
      const isEvening = (bucket.at % day) / hour >= 18 && (bucket.at % day) / hour < 22;
      return isEvening ? Object.assign({}, bucket, { players: 30 }) : bucket;
    });
    const { baseline } = follow(all, evening(12, 12));
    const kept = baseline.bands.find(({ playersFrom }) => playersFrom === 20);
    expect(kept).toMatchObject({ median: expect.closeTo(20.3, 1) as number });
    expect(kept?.keptFrom).toBeLessThan(evening(12, 0));
    expect(baseline.bands.find(({ playersFrom }) => playersFrom === 10)?.keptFrom).toBeUndefined();
  });
});
