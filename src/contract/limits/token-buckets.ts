import type { Instant } from "../../core/time.ts";

/** Buckets untouched for this long are full again and forgotten, ms. */
const forgetAfterMs = 60_000;

interface Bucket {
  /** Negative: so many are owed. */
  tokens: number;
  at: Instant;
}

/** Token buckets by a key, kept in the process: they protect this process, and owe nobody an exact count. */
export interface TokenBuckets {
  /** Takes a token: null, or the seconds to wait for the next one. */
  take(key: string, now: Instant): number | null;
  /** The same without taking one. */
  wait(key: string, now: Instant): number | null;
  /** Takes that many tokens, also those that the bucket does not have: as many as come back within a minute. */
  charge(key: string, tokens: number, now: Instant): void;
  /** The seconds until nothing is owed any more; null where nothing is. */
  owed(key: string, now: Instant): number | null;
}

/** `burst` tokens a key, of which `perSecond` come back each second; a bucket is full again within a minute. */
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
    // The clock was set back: tokens come back from now on, and not only when it is as late again.
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
