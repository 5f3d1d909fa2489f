import type { Instant } from "./time.ts";

export interface CacheBounds {
  /** An answer is given again until it is so old, ms. */
  readonly maxAgeMs: number;
  /** Where the clock was set back by more, ms, it is read anew as well. */
  readonly clockStepMs: number;
  /** Answers that are kept: the oldest go first. */
  readonly most: number;
}

/** Answers that may be a while old, in the memory of this process. */
export class TimedCache<V> {
  readonly #bounds: CacheBounds;
  readonly #kept = new Map<string, { readonly value: V; readonly readAt: Instant }>();

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  /** The answer under a key, which names all that changes it; `read` reads one that is missing or too old. */
  async of(key: string, now: Instant, read: () => Promise<V>): Promise<V> {
    const { maxAgeMs, clockStepMs, most } = this.#bounds;
    const kept = this.#kept.get(key);
    const age = now - (kept?.readAt ?? -Infinity);
    if (kept && age < maxAgeMs && age >= -clockStepMs) return kept.value;
    const value = await read();
    // A new one stands last, so that the first one is the oldest.
    this.#kept.delete(key);
    this.#kept.set(key, { value, readAt: now });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      this.#kept.delete(oldest);
    }
    return value;
  }
}
