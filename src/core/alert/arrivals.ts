import { clockToleranceMs } from "../metric/clock.ts";
import type { Instant } from "../time.ts";

export interface RuleSample {
  /** By the plugin's clock; the time of receipt if that clock was off. */
  readonly sampledAt: Instant;
  readonly receivedAt: Instant;
  /** Null if not measured, and for rules on `offline`. */
  readonly value: number | null;
  readonly pausedEmpty: boolean;
}

/** Released samples are dropped in batches of this size: dropping each one took most of the time. */
const releasedAtMost = 512;

/**
 * Puts stored samples, which come in order of measuring, into the order of receipt in which rules saw them. A
 * sample sent with a heartbeat was received within the clock tolerance of its measuring, and no two at the
 * same millisecond. All others came later in one upload, and no rule saw them.
 */
export class Arrivals {
  /** In order of receipt: a sample that is not read yet may precede them. */
  readonly #waiting: RuleSample[] = [];
  /** Index of the first waiting sample. */
  #head = 0;
  readonly #take: (sample: RuleSample) => void;
  /** Times of receipt of late uploads. */
  readonly #uploads = new Set<Instant>();
  /** Number of samples that no rule saw. */
  late = 0;

  constructor(take: (sample: RuleSample) => void) {
    this.#take = take;
  }

  /** Takes the next sample in order of measuring, and releases those that no later sample can precede. */
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
