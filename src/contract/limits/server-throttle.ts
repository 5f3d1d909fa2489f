import type { Instant } from "../../core/time.ts";
import { tokenBuckets } from "./token-buckets.ts";

/** A linked server may send 20 requests a second, 60 in a burst. */
export const perSecond = 20;
const burst = 60;

/** Limits what one server sends: answers null, or the seconds to wait. */
export const serverThrottle = (): ((serverId: string, now: Instant) => number | null) =>
  tokenBuckets(perSecond, burst).take;
