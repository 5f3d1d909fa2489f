import type { Instant } from "../../core/time.ts";
import { tokenBuckets } from "./token-buckets.ts";

/** Unknown status page addresses that one client may try: one a second, 60 in a burst. */
const perSecond = 1;
const burst = 60;

/** Limits clients that try unknown status page addresses, in memory. */
export const unknownAddresses = (): {
  /** Seconds to wait; null if the client may try. */
  readonly wait: (client: string, now: Instant) => number | null;
  readonly count: (client: string, now: Instant) => void;
} => {
  const buckets = tokenBuckets(perSecond, burst);
  return { wait: buckets.wait, count: (client, now) => void buckets.take(client, now) };
};
