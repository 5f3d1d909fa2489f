import { clockToleranceMs } from "../metric/clock.ts";
import type { Instant } from "../time.ts";

/** A stored sample, as far as one rule asks. */
export interface RuleSample {
  /** As it counts: by the plugin's clock, or at its receipt where that clock was off. */
  readonly sampledAt: Instant;
  readonly receivedAt: Instant;
  /** The rule's metric; null where it was not measured, and for rules on the server's silence. */
  readonly value: number | null;
  readonly pausedEmpty: boolean;
}

/** So many released samples are dropped at once, because dropping each took most of the time. */
const releasedAtMost = 512;

/**
 * Stored samples come in the order of measuring; rules saw them in the order of receipt. A sample that came with a
 * heartbeat lies within the clock tolerance of its receipt, and no two of them came in at the same millisecond:
 * other samples were sent later, in one upload, and no rule ever saw them.
 */
export class Arrivals {
  /** In the order of receipt: those that a sample which is not read yet may come before. */
  readonly #waiting: RuleSample[] = [];
  /** Where those begin that still wait. */
  #head = 0;
  readonly #take: (sample: RuleSample) => void;
  /** When samples came in that were sent later. */
  readonly #uploads = new Set<Instant>();
  /** Samples that no rule ever saw. */
  late = 0;

  constructor(take: (sample: RuleSample) => void) {
    this.#take = take;
  }

  /** Takes the sample that was measured next, and hands on what came in before any later one can have. */
  add(sample: RuleSample): void {
    const { sampledAt, receivedAt } = sample;
    if (Math.abs(sampledAt - receivedAt) > clockToleranceMs) {
      this.late += 1;
      this.#uploads.add(receivedAt);
      return;
    }
    const waiting = this.#waiting;
    let place = waiting.length;
    while (place > this.#head && (waiting[place - 1]?.receivedAt ?? receivedAt) > receivedAt) place -= 1;
    if (place === waiting.length) waiting.push(sample);
    else waiting.splice(place, 0, sample);
    this.#release(sampledAt - clockToleranceMs);
  }

  /** There are no more samples. */
  end(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  #release(before: Instant): void {
    const waiting = this.#waiting;
    let head = this.#head;
    for (let sample = waiting[head]; sample && sample.receivedAt < before; sample = waiting[head]) {
      head += 1;
      const { receivedAt } = sample;
      if (receivedAt === waiting[head]?.receivedAt) this.#uploads.add(receivedAt);
      if (this.#uploads.has(receivedAt)) this.late += 1;
      else this.#take(sample);
    }
    this.#head = head;
    if (head < releasedAtMost) return;
    waiting.splice(0, head);
    this.#head = 0;
  }
}
