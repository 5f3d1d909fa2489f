import type { DerivedStatus, ServerState, ServerStatus, StateBasis } from "../server/status.ts";
import type { Instant } from "../time.ts";
import type { SampleMetric } from "./alert-rule.ts";

export interface WatchedServer {
  readonly status: ServerStatus["status"];
  readonly state: ServerState;
  readonly stateSince: Instant | null;
  readonly lastHeartbeat: Instant | null;
  /** By the service's clock; null before the first sample. */
  readonly sampleReceivedAt: Instant | null;
  /** Since when the worlds are paused because nobody is online; null while they tick. */
  readonly pausedEmptySince: Instant | null;
  readonly inMaintenance: boolean;
}

export const toWatchedServer = (
  server: StateBasis,
  { status, state, since }: DerivedStatus,
  inMaintenance: boolean,
): WatchedServer => ({
  status,
  state,
  stateSince: since,
  lastHeartbeat: server.lastHeartbeat,
  sampleReceivedAt: server.sampleReceivedAt,
  pausedEmptySince: state === "paused_empty" ? server.pausedSince : null,
  inMaintenance,
});

/** An accepted sample that is the newest of its server. */
export interface MeasuredFact {
  readonly kind: "sample";
  /** By the service's clock. */
  readonly now: Instant;
  /** When it was measured; later than `now` by at most the clock tolerance. */
  readonly at: Instant;
  /** When the sample before it was measured; null if it is the first. */
  readonly previousAt: Instant | null;
  readonly values: Readonly<Record<SampleMetric, number | null>>;
  /** The rate of ticks that the server is set to; null for the game's own, or if it is not known. */
  readonly targetTps: number | null;
  readonly server: WatchedServer;
}

/** Only time passed, or a heartbeat came without a sample. */
export interface SweptFact {
  readonly kind: "sweep";
  readonly now: Instant;
  readonly server: WatchedServer;
}

export type Fact = MeasuredFact | SweptFact;
