import { heartbeatSeconds } from "./clock.ts";
import { rollupMs } from "./chunk.ts";
import type { Instant } from "../time.ts";

/** Samples further apart leave a gap, ms: three missed heartbeats, after which a server counts as offline. */
const sampleGapMs = 3 * heartbeatSeconds * 1000;

/** The same beside a roll-up row, ms: one row is missing between two. */
const rollupGapMs = 2 * rollupMs;

/** An interval without any data, `from` inclusive, `to` exclusive. */
export interface Gap {
  readonly from: Instant;
  readonly to: Instant;
}

/** Finds the gaps of a period from its points in order of time. */
export class GapFinder {
  readonly #gaps: Gap[] = [];
  readonly #to: Instant;
  #last: Instant;
  #lastRolled = false;
  #empty = true;
  /** Up to where there is data: a roll-up row reaches beyond its own start. */
  #covered: Instant;

  constructor(from: Instant, to: Instant) {
    this.#to = to;
    this.#last = from;
    this.#covered = from;
  }

  add(time: Instant, rolled: boolean): void {
    this.#note(time, rolled);
    this.#empty = false;
    this.#last = time;
    this.#lastRolled = rolled;
    this.#covered = Math.max(this.#covered, rolled ? time + rollupMs : time);
  }

  /** Adds points of one kind in order of time. */
  addAll(times: Float64Array, rolled: boolean): void {
    if (rolled || this.#lastRolled || times.length === 0) {
      for (const time of times) this.add(time, rolled);
      return;
    }
    let last = this.#last;
    for (let index = 0; index < times.length; index += 1) {
      const time = times[index] ?? 0;
      if (time - last > sampleGapMs) {
        this.#last = last;
        this.#covered = Math.max(this.#covered, last);
        this.#note(time, false);
      }
      last = time;
    }
    this.#empty = false;
    this.#last = last;
    this.#covered = Math.max(this.#covered, last);
  }

  /** The gaps up to the end of the period. */
  end(): readonly Gap[] {
    if (this.#empty) return [{ from: this.#covered, to: this.#to }];
    this.#note(this.#to, false);
    return this.#gaps;
  }

  #note(next: Instant, rolled: boolean): void {
    const longest = rolled || this.#lastRolled ? rollupGapMs : sampleGapMs;
    if (next - this.#last > longest && next > this.#covered)
      this.#gaps.push({ from: this.#covered, to: next });
  }
}
