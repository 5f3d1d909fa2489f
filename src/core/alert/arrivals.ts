import { clockToleranceMs } from "../metric/clock.ts";
import type { Instant } from "../time.ts";

/** A sample as the store holds it. */
export interface RuleSample {
  /** By the plugin's clock; the time of receipt if that clock was off. */
  readonly sampledAt: Instant;
  /** Null if it is not on record. */
  readonly receivedAt: Instant | null;
  /** Null if not measured, and for rules on `offline`. */
  readonly value: number | null;
  readonly pausedEmpty: boolean;
  /** For rules on ticks: the rate that the server was set to; null if it is not known. */
  readonly targetTps: number | null;
}

/** A sample with the instant at which a replay takes it. */
export interface ReplayedSample extends RuleSample {
  readonly receivedAt: Instant;
}

/** Released samples are dropped in batches of this size: dropping each one took most of the time. */
const releasedAtMost = 512;

/**
 * Samples in order of `receivedAt`; of equal ones the first added comes first. An instant that is not a number
 * has no place in an order, and a single one would hold back every sample behind it: `isInTime` refuses it.
 */
class SampleQueue {
  readonly #waiting: ReplayedSample[] = [];
  /** Index of the first waiting sample. */
  #head = 0;
  readonly #take: (sample: ReplayedSample, isShared: boolean) => void;

  /** `isShared`: the next sample has the same instant. */
  constructor(take: (sample: ReplayedSample, isShared: boolean) => void) {
    this.#take = take;
  }

  add(sample: ReplayedSample): void {
    const { receivedAt } = sample;
    const waiting = this.#waiting;
    let place = waiting.length;
    while (place > this.#head && (waiting[place - 1]?.receivedAt ?? receivedAt) > receivedAt) place -= 1;
    if (place === waiting.length) waiting.push(sample);
    else waiting.splice(place, 0, sample);
  }

  release(before: Instant): void {
    const waiting = this.#waiting;
    let head = this.#head;
    for (let sample = waiting[head]; sample && sample.receivedAt < before; sample = waiting[head]) {
      head += 1;
      this.#take(sample, sample.receivedAt === waiting[head]?.receivedAt);
    }
    this.#head = head;
    if (head < releasedAtMost) return;
    waiting.splice(0, head);
    this.#head = 0;
  }
}

/** Whether a sample was received about when it was measured. Throws a RangeError for a time that is no number. */
function isInTime({ sampledAt, receivedAt }: ReplayedSample): boolean {
  const delay = receivedAt - sampledAt;
  if (!Number.isFinite(delay)) throw new RangeError("A sample without its times has no place in the order.");
  return Math.abs(delay) <= clockToleranceMs;
}

/** A sample that is dated ahead of its receipt was measured at its receipt at the latest. */
const measuredAt = (sample: ReplayedSample): Instant =>
  isInTime(sample) ? Math.min(sample.sampledAt, sample.receivedAt) : sample.sampledAt;

/** Every sample, late ones too, as if each had been received the moment it was measured. */
export class Measurements {
  readonly #queue: SampleQueue;

  constructor(take: (sample: ReplayedSample) => void) {
    this.#queue = new SampleQueue((sample) => take(sample));
  }

  /** Takes the next sample in order of `sampledAt`. */
  add(sample: ReplayedSample): void {
    const at = measuredAt(sample);
    this.#queue.add({ ...sample, sampledAt: at, receivedAt: at });
    this.#queue.release(sample.sampledAt - clockToleranceMs);
  }

  end(): void {
    this.#queue.release(Number.POSITIVE_INFINITY);
  }
}

/**
 * Puts stored samples, which come in order of measuring, into the order of receipt in which rules saw them. A
 * sample sent with a heartbeat was received within the clock tolerance of its measuring, and no two at the
 * same millisecond. All others came later in one upload, and no rule saw them.
 */
export class Arrivals {
  readonly #queue: SampleQueue;
  readonly #late: (sample: ReplayedSample) => void;
  /** Times of receipt of late uploads. */
  readonly #uploads = new Set<Instant>();

  constructor(take: (sample: ReplayedSample) => void, late: (sample: ReplayedSample) => void) {
    this.#late = late;
    this.#queue = new SampleQueue((sample, isShared) => {
      if (isShared) this.#uploads.add(sample.receivedAt);
      if (this.#uploads.has(sample.receivedAt)) late(sample);
      else take(sample);
    });
  }

  /** Takes the next sample in order of measuring, and releases those that no later sample can precede. */
  add(sample: ReplayedSample): void {
    if (!isInTime(sample)) {
      this.#uploads.add(sample.receivedAt);
      this.#late(sample);
      return;
    }
    this.#queue.add(sample);
    this.#queue.release(sample.sampledAt - clockToleranceMs);
  }

  end(): void {
    this.#queue.release(Number.POSITIVE_INFINITY);
  }
}
