import { lastDaySlot } from "../../src/core/health/day-slot.ts";
import type { LevelBucket } from "../../src/core/health/baseline.ts";
import { SlownessReplay } from "../../src/core/health/slowness-replay.ts";
import { dice } from "./dice.ts";
import {
  bucketMs,
  dayMs,
  firstJudged,
  historyStart,
  judgedDays,
  plantedAt,
  slowHistory,
} from "./slow-histories.ts";

const minuteMs = 60_000;
/** A slowdown that is noticed later is not found, */
const foundWithinMs = 120 * minuteMs;
/** and one whose beginning is this far from the truth is ascribed to something else. */
const sinceWithinMs = 10 * minuteMs;

const serverId = "simulated";

/** What the service says of the days judged. */
export function judgeHistory(
  buckets: readonly LevelBucket[],
  until = historyStart + buckets.length * bucketMs,
): Pick<SlownessReplay, "state" | "changes"> {
  const replay = new SlownessReplay(serverId, buckets, lastDaySlot(serverId, firstJudged));
  Array.from(replay.advance(until));
  return replay;
}

/** Of evenings (18 to 22 h) that are slow from the first judged day on: the share found, %, by day. */
export function eveningsFound(
  dayToDay: number,
  { servers, factor, firstSeed = 1 }: { servers: number; factor: number; firstSeed?: number },
): number[] {
  const judged = 14;
  const found = Array.from({ length: judged }, () => 0);
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1) {
    const planted = { at: firstJudged, factor, hours: [18, 22] } as const;
    const { changes, state } = judgeHistory(slowHistory(seed, dayToDay, planted, judged));
    const opened = changes.filter(({ kind }) => kind === "opened");
    for (let day = 0; day < judged; day += 1) {
      const [from, to] = [
        firstJudged + day * dayMs + 18 * 3_600_000,
        firstJudged + day * dayMs + 23 * 3_600_000,
      ];
      const isOpen = opened.some(({ at, since }) => {
        const end =
          changes.find((change) => change.kind === "ended" && change.at > at)?.at ?? state.seenTo ?? 0;
        return since < to && end > from;
      });
      if (isOpen) found[day] = (found[day] ?? 0) + 1;
    }
  }
  return found.map((count) => Math.round((100 * count) / servers));
}

/** How often the finding opens on servers that do not change, per server and 30 days. */
export function falseEpisodes(dayToDay: number, servers: number, firstSeed = 1): number {
  let opened = 0;
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1)
    opened += judgeHistory(slowHistory(seed, dayToDay)).changes.filter(
      ({ kind }) => kind === "opened",
    ).length;
  return (opened / servers) * (30 / judgedDays);
}

/** What became of lasting slowdowns. */
export interface SlowRates {
  readonly planted: number;
  /** A finding opened within 2 h. */
  readonly found: number;
  /** Of those found: `since` lies within 10 minutes of the truth, */
  readonly sinceRight: number;
  /** and a day after it began a finding with such a `since` is open. */
  readonly rightNextDay: number;
  /** Minutes until those found were, by rising delay. */
  readonly delays: readonly number[];
}

/** Plants a slowdown into each of as many servers, at any time of the first days judged. */
export function slowdownRates(dayToDay: number, factor: number, servers: number, firstSeed = 1): SlowRates {
  let [sinceRight, rightNextDay] = [0, 0];
  const delays: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1) {
    const at = plantedAt(dice(1_000_000 + seed));
    const { state, changes } = judgeHistory(slowHistory(seed, dayToDay, { at, factor }), at + dayMs);
    const isRight = ({ since }: { readonly since: number }): boolean => Math.abs(since - at) <= sinceWithinMs;
    const opened = changes.find((change) => {
      const delay = change.at + bucketMs - at;
      return change.kind === "opened" && delay > 0 && delay <= foundWithinMs;
    });
    if (!opened) continue;
    delays.push((opened.at + bucketMs - at) / minuteMs);
    if (isRight(opened)) sinceRight += 1;
    if (state.open && isRight(state.open)) rightNextDay += 1;
  }
  delays.sort((a, b) => a - b);
  return { planted: servers, found: delays.length, sinceRight, rightNextDay, delays };
}
