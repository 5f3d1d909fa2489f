import type { Instant } from "../../core/time.ts";

/** A linked server may send 20 requests a second, 60 in a burst. */
export const perSecond = 20;
const burst = 60;

/** Buckets untouched for this long are full again and forgotten, ms. */
const forgetAfterMs = 60_000;

interface Bucket {
  tokens: number;
  at: Instant;
}

/**
 * A token bucket a server, kept in the process: it protects this process, and owes nobody an exact count.
 * Answers null, or the seconds to wait.
 */
export function serverThrottle(): (serverId: string, now: Instant) => number | null {
  const buckets = new Map<string, Bucket>();
  let sweptAt = 0;
  return (serverId, now) => {
    if (now - sweptAt > forgetAfterMs) {
      sweptAt = now;
      for (const [id, { at }] of buckets) if (now - at > forgetAfterMs) buckets.delete(id);
    }
    const bucket = buckets.get(serverId) ?? { tokens: burst, at: now };
    const elapsedSeconds = Math.max(0, now - bucket.at) / 1000;
    const tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond);
    const granted = tokens >= 1;
    buckets.set(serverId, { tokens: granted ? tokens - 1 : tokens, at: now });
    return granted ? null : (1 - tokens) / perSecond;
  };
}
