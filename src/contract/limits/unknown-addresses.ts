import type { Instant } from "../../core/time.ts";
import { tokenBuckets } from "./token-buckets.ts";

/** Addresses of status pages that one client may try in vain: one a second, 60 in a burst. */
const perSecond = 1;
const burst = 60;

/** Limits clients that try addresses of status pages that do not exist, in the memory of this process. */
export const unknownAddresses = (): {
  /** The seconds that a client has to wait; null where it may try. */
  readonly wait: (client: string, now: Instant) => number | null;
  /** Counts an address that led nowhere. */
  readonly count: (client: string, now: Instant) => void;
} => {
  const buckets = tokenBuckets(perSecond, burst);
  return { wait: buckets.wait, count: (client, now) => void buckets.take(client, now) };
};
