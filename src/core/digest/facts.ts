import type { AccountEventRecord, EventRecord } from "../event/server-event.ts";
import type { Availability, NextStep } from "../health/health.ts";
import type { FleetHealth } from "../monitoring/fleet-health.ts";
import type { Instant } from "../time.ts";

/** One monitored server: its health now, and how the week was spent. */
export interface DigestServer extends Pick<
  FleetHealth["data"][number],
  "server_id" | "name" | "verdict" | "since" | "reasons" | "headline"
> {
  readonly availability: Availability;
  /** The first of the leading finding; null for a server with which nothing is wrong, and for those behind the first. */
  readonly step: NextStep["action"] | null;
}

/** The rule with the most alerts of the week, as it was called in its newest alert. */
export interface NoisyRule {
  readonly name: string;
  readonly serverName: string | null;
  readonly alerts: number;
}

/** Everything that the digest of an account is worked out from. */
export interface DigestFacts {
  readonly from: Instant;
  readonly to: Instant;
  readonly totals: FleetHealth["totals"];
  /** Worst first; without servers that are beyond the plan's quota. */
  readonly servers: readonly DigestServer[];
  /** Servers behind those that were looked at. */
  readonly moreServers: number;
  readonly openAlerts: number;
  /** The week's entries of verdicts that changed. */
  readonly turns: readonly EventRecord[];
  /** The week's changes of software and settings, newest first. */
  readonly changes: readonly AccountEventRecord[];
  /** False where the timeline has more changes or verdicts than are read. */
  readonly isComplete: boolean;
  /** Alerts that opened in the week. */
  readonly alerts: { readonly count: number; readonly rules: number; readonly noisiest: NoisyRule | null };
}
