import type { Instant } from "../../core/time.ts";

/** A bucket unused for this long is full again and deleted, ms. */
const forgetAfterMs = 60_000;

interface Bucket {
  /** Negative after a charge for more than there was. */
  tokens: number;
  at: Instant;
}

/** In memory: they protect this process only and need not be exact. */
export interface TokenBuckets {
  /** Takes a token: null, or the seconds to wait for the next one. */
  take(key: string, now: Instant): number | null;
  /** As `take`, without taking one. */
  wait(key: string, now: Instant): number | null;
  /** Takes tokens that the bucket may not have; the debt is limited to what comes back within a minute. */
  charge(key: string, tokens: number, now: Instant): void;
  /** The seconds until the debt is paid; null without debt. */
  owed(key: string, now: Instant): number | null;
}

/** `burst` tokens a key, refilled by `perSecond`. A bucket must be full again within a minute. */
export function tokenBuckets(perSecond: number, burst: number): TokenBuckets {
  const buckets = new Map<string, Bucket>();
  const mostOwed = (perSecond * forgetAfterMs) / 1000 - burst;
  let sweptAt = 0;
  const sweep = (now: Instant): void => {
    if (now >= sweptAt && now - sweptAt <= forgetAfterMs) return;
    sweptAt = now;
    for (const [key, { at }] of buckets) if (now - at > forgetAfterMs) buckets.delete(key);
  };
  const tokensOf = (key: string, now: Instant): number => {
    const bucket = buckets.get(key);
    if (!bucket) return burst;
    // If the clock was set back, tokens are refilled from now on, not only after the old time.
    if (now < bucket.at) bucket.at = now;
    return Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  };
  const waitFor = (tokens: number): number | null => (tokens >= 1 ? null : (1 - tokens) / perSecond);
  return {
    take: (key, now) => {
      sweep(now);
      const tokens = tokensOf(key, now);
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
      return waitFor(tokens);
    },
    wait: (key, now) => waitFor(tokensOf(key, now)),
    charge: (key, count, now) => {
      sweep(now);
      buckets.set(key, { tokens: Math.max(-mostOwed, tokensOf(key, now) - count), at: now });
    },
    owed: (key, now) => {
      const tokens = tokensOf(key, now);
      return tokens < 0 ? -tokens / perSecond : null;
    },
  };
}
