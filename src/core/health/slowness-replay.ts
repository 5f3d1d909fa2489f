import { dayMs, utcDay, type Instant } from "../time.ts";
import { bucketMs } from "../metric/chunk.ts";
import { baselineDays, baselineOf, type LevelBaseline, type LevelBucket } from "./baseline.ts";
import { lastDaySlot } from "./day-slot.ts";
import type { UsualTicks } from "./facts.ts";
import { lookBackMs } from "./level-beginning.ts";
import { stepSlowerThanUsual } from "./slower-than-usual.ts";
import { unseenLevelState, unusualSpans, type LevelChange, type LevelState } from "./unusual-level.ts";

/** What is known of a server's ticks at its time of the day, when the baseline of that day is computed. */
export interface SlownessCheckpoint {
  /** The server's time of the day; its buckets that ended by then are judged. */
  readonly at: Instant;
  readonly state: LevelState;
  /** The baseline for the buckets from `at` on. */
  readonly baseline: LevelBaseline;
}

/** Where a replay starts that knows no checkpoint: as many days before `to` as a baseline has. */
export const firstSlot = (serverId: string, to: Instant): Instant =>
  lastDaySlot(serverId, to) - baselineDays * dayMs;

/** Its times of the day from `start` to `to`. */
export const slotsFrom = (start: Instant, to: Instant): Instant[] =>
  Array.from({ length: Math.floor((to - start) / dayMs) + 1 }, (_, place) => start + place * dayMs);

/** The first day whose buckets a replay needs: the baseline of its first day is made of the days before. */
export const firstLoadDay = (start: Instant): Instant => utcDay(start) - baselineDays * dayMs;

/**
 * Judges a server's buckets in order of time, each by the baseline of its day. A server's days begin at its own
 * time of the day, so that the work of all servers is spread over the day. What it says at a time depends only
 * on the buckets before it, so it does not matter when they arrived.
 */
export class SlownessReplay {
  readonly #serverId: string;
  readonly #buckets: readonly LevelBucket[];
  readonly #changes: LevelChange[] = [];
  #next = 0;
  #state: LevelState;
  #checkpoint: SlownessCheckpoint | null;
  /** The server's time of the day that comes next. */
  #slot: Instant;

  /**
   * `buckets`: oldest first, from `firstLoadDay` of the start on. `start`: a checkpoint, or the server's time of
   * the day before which nothing is known.
   */
  constructor(serverId: string, buckets: readonly LevelBucket[], start: SlownessCheckpoint | Instant) {
    this.#serverId = serverId;
    this.#buckets = buckets;
    const known = typeof start === "number" ? null : start;
    this.#checkpoint = known;
    this.#state = known?.state ?? unseenLevelState;
    this.#slot = typeof start === "number" ? start : start.at + dayMs;
    if (known !== null) this.#passed(known.at);
  }

  get state(): LevelState {
    return this.#state;
  }

  /** What is usual, and slower than that, after the newest judged bucket. */
  get usual(): UsualTicks {
    const { open: slowness, past = [] } = this.#state;
    return { baseline: this.#checkpoint?.baseline ?? null, slowness, past };
  }

  /** That of the newest time of the day that was passed; null before the first. */
  get checkpoint(): SlownessCheckpoint | null {
    return this.#checkpoint;
  }

  /** All changes so far, oldest first. */
  get changes(): readonly LevelChange[] {
    return this.#changes;
  }

  /** Judges the buckets that end by `to`; yields after each day, which takes some ms. */
  *advance(to: Instant): Generator<void, void> {
    const last = lastDaySlot(this.#serverId, to);
    while (this.#slot <= last) {
      this.#judge(this.#slot);
      const day = utcDay(this.#slot);
      const known = this.#checkpoint?.baseline ?? null;
      const baseline = baselineOf(this.#buckets, day, unusualSpans(this.#state), known);
      this.#checkpoint = { at: this.#slot, state: this.#state, baseline };
      this.#slot += dayMs;
      yield;
    }
    this.#judge(to);
  }

  /** The next buckets that end by `to`. */
  #passed(to: Instant): readonly LevelBucket[] {
    const first = this.#next;
    while ((this.#buckets[this.#next]?.at ?? Infinity) + bucketMs <= to) this.#next += 1;
    return this.#buckets.slice(first, this.#next);
  }

  #judge(to: Instant): void {
    const first = this.#next;
    const passed = this.#passed(to);
    if (this.#checkpoint === null || passed.length === 0) return;
    const before = this.#buckets.slice(Math.max(0, first - lookBackMs / bucketMs), first);
    const { state, changes } = stepSlowerThanUsual(this.#state, passed, this.#checkpoint.baseline, before);
    this.#state = state;
    this.#changes.push(...changes);
  }
}
