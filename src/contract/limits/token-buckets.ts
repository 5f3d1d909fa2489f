import type { Instant } from "../../core/time.ts";

/** Buckets untouched for this long are full again and forgotten, ms. */
const forgetAfterMs = 60_000;

interface Bucket {
  tokens: number;
  at: Instant;
}

/** Token buckets by a key, kept in the process: they protect this process, and owe nobody an exact count. */
export interface TokenBuckets {
  /** Takes a token: null, or the seconds to wait for the next one. */
  take(key: string, now: Instant): number | null;
  /** The same without taking one. */
  wait(key: string, now: Instant): number | null;
}

/** `burst` tokens a key, of which `perSecond` come back each second; a bucket is full again within a minute. */
export function tokenBuckets(perSecond: number, burst: number): TokenBuckets {
  const buckets = new Map<string, Bucket>();
  let sweptAt = 0;
  const sweep = (now: Instant): void => {
    if (now - sweptAt <= forgetAfterMs) return;
    sweptAt = now;
    for (const [key, { at }] of buckets) if (now - at > forgetAfterMs) buckets.delete(key);
  };
  const tokensOf = (key: string, now: Instant): number => {
    const bucket = buckets.get(key);
    if (!bucket) return burst;
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond);
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
  };
}
