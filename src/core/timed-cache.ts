import type { Instant } from "./time.ts";

export interface CacheBounds {
  /** An answer is reused up to this age, ms. */
  readonly maxAgeMs: number;
  /** If the clock was set back by more than this, ms, the answer is read again. */
  readonly clockStepMs: number;
  /** The oldest answers beyond this number are dropped. */
  readonly most: number;
}

export class TimedCache<V> {
  readonly #bounds: CacheBounds;
  readonly #kept = new Map<string, { readonly value: V; readonly readAt: Instant }>();

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  /** `key` names everything that changes the answer; `read` is called if the answer is missing or too old. */
  async of(key: string, now: Instant, read: () => Promise<V>): Promise<V> {
    const { maxAgeMs, clockStepMs, most } = this.#bounds;
    const kept = this.#kept.get(key);
    const age = now - (kept?.readAt ?? -Infinity);
    if (kept && age < maxAgeMs && age >= -clockStepMs) return kept.value;
    const value = await read();
    // The new answer goes to the end, so that the first one is the oldest.
    this.#kept.delete(key);
    this.#kept.set(key, { value, readAt: now });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      this.#kept.delete(oldest);
    }
    return value;
  }
}
