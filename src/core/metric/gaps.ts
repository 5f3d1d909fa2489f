import { heartbeatSeconds } from "./clock.ts";
import type { Instant } from "../time.ts";

/** Samples further apart leave a gap, ms: three missed heartbeats, after which a server counts as offline. */
export const seriesGapMs = 3 * heartbeatSeconds * 1000;

/** `from` inclusive, `to` exclusive. */
export interface Gap {
  readonly from: Instant;
  readonly to: Instant;
}

export class GapFinder {
  readonly #gaps: Gap[] = [];
  readonly #from: Instant;
  readonly #to: Instant;
  #last: Instant;
  #empty = true;

  constructor(from: Instant, to: Instant) {
    this.#from = from;
    this.#to = to;
    this.#last = from;
  }

  /** Points must come in order of time. */
  addAll(times: Float64Array): void {
    if (times.length === 0) return;
    let last = this.#last;
    for (let index = 0; index < times.length; index += 1) {
      const time = times[index] ?? 0;
      if (time - last > seriesGapMs) this.#gaps.push({ from: last, to: time });
      last = time;
    }
    this.#empty = false;
    this.#last = last;
  }

  /** All gaps, with the one at the end of the period. */
  end(): readonly Gap[] {
    if (this.#empty) return [{ from: this.#from, to: this.#to }];
    const rest = { from: this.#last, to: this.#to };
    return rest.to - rest.from > seriesGapMs ? [...this.#gaps, rest] : this.#gaps;
  }
}
