import { clockToleranceMs } from "./clock.ts";
import type { Instant } from "../time.ts";

/** The two times of a sample that a server shows: by its plugin's clock, and by ours. */
interface SampleTimes {
  readonly sampledAt: Instant;
  readonly receivedAt: Instant;
}

/** What is dated ahead was measured at its receipt at the latest. */
const measuredAt = ({ sampledAt, receivedAt }: SampleTimes): Instant => Math.min(sampledAt, receivedAt);

/**
 * Neither an older sample nor a repeat takes the place of the one shown, unless that one was received further
 * ahead than any believed clock: then ours was wrong at that time.
 */
export const staysShown = (shown: SampleTimes, next: SampleTimes): boolean =>
  shown.receivedAt <= next.receivedAt + clockToleranceMs &&
  (shown.sampledAt === next.sampledAt || measuredAt(shown) >= measuredAt(next));

/** A pause began when the plugin says it did, else with the first sample of the run of paused samples. */
export const pausedFrom = (reported: Instant | null, known: Instant | null, sampledAt: Instant): Instant =>
  Math.min(reported ?? known ?? sampledAt, sampledAt);

/** What a newer heartbeat said stays, unless that one is from a time when our clock was wrong. */
export const isNewestHeartbeat = (last: Instant | null, receivedAt: Instant): boolean =>
  last === null || last <= receivedAt || last > receivedAt + clockToleranceMs;
