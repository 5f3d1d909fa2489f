import { bucketMs, bucketStart } from "../metric/chunk.ts";
import { minuteMs, type Instant } from "../time.ts";

/** Samples come at least every minute, so a bucket is complete a minute after its end, ms. */
const completeMs = minuteMs;

/** The end of the newest bucket that is over and has all of its samples. */
export const closedAt = (now: Instant): Instant => bucketStart(now - completeMs);

/** Whether a time lies in a bucket that was judged already. */
export const isClosed = (at: Instant, now: Instant): boolean => bucketStart(at) + bucketMs <= closedAt(now);
