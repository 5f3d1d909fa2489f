import { clockToleranceMs } from "./clock.ts";
import type { Instant } from "../time.ts";

/** `sampledAt` is by the plugin's clock, `receivedAt` by ours. */
interface SampleTimes {
  readonly sampledAt: Instant;
  readonly receivedAt: Instant;
}

/** A sample that is dated ahead was measured at its receipt at the latest. */
const measuredAt = ({ sampledAt, receivedAt }: SampleTimes): Instant => Math.min(sampledAt, receivedAt);

/** An older sample or a repeat is not shown, unless the one shown was received while our clock was ahead. */
export const staysShown = (shown: SampleTimes, next: SampleTimes): boolean =>
  shown.receivedAt <= next.receivedAt + clockToleranceMs &&
  (shown.sampledAt === next.sampledAt || measuredAt(shown) >= measuredAt(next));

/** The plugin's start of the pause, else the first of the paused samples in a row. */
export const pausedFrom = (reported: Instant | null, known: Instant | null, sampledAt: Instant): Instant =>
  Math.min(reported ?? known ?? sampledAt, sampledAt);

/** False if a newer heartbeat was received, unless its time is in the future because our clock was wrong. */
export const isNewestHeartbeat = (last: Instant | null, receivedAt: Instant): boolean =>
  last === null || last <= receivedAt || last > receivedAt + clockToleranceMs;
