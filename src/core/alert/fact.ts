import type { DerivedStatus, ServerState, ServerStatus, StateBasis } from "../server/status.ts";
import type { Instant } from "../time.ts";
import type { SampleMetric } from "./alert-rule.ts";

/** The server as a rule sees it when something is evaluated. */
export interface WatchedServer {
  readonly status: ServerStatus["status"];
  readonly state: ServerState;
  readonly stateSince: Instant | null;
  readonly lastHeartbeat: Instant | null;
  /** When the last sample came in, by our clock, whatever the plugin's says; null before the first. */
  readonly sampleReceivedAt: Instant | null;
  /** Since when the worlds stand still because nobody is on; null while they tick. */
  readonly pausedEmptySince: Instant | null;
  readonly inMaintenance: boolean;
}

/** A server with its derived status, as its rules see it. */
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

/** A measurement that was just accepted and is the newest of its server. */
export interface MeasuredFact {
  readonly kind: "sample";
  /** Now, by our clock. */
  readonly now: Instant;
  /** When it was measured; never later than `now` by more than the clock tolerance. */
  readonly at: Instant;
  /** When the sample before it was measured; null when it is the first. */
  readonly previousAt: Instant | null;
  readonly values: Readonly<Record<SampleMetric, number | null>>;
  readonly server: WatchedServer;
}

/** Nothing arrived but time, or a heartbeat without a sample. */
export interface SweptFact {
  readonly kind: "sweep";
  readonly now: Instant;
  readonly server: WatchedServer;
}

export type Fact = MeasuredFact | SweptFact;
