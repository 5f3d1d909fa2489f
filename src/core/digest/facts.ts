import type { AccountEventRecord, EventRecord } from "../event/server-event.ts";
import type { Availability, NextStep } from "../health/health.ts";
import type { FleetHealth } from "../monitoring/fleet-health.ts";
import type { Instant } from "../time.ts";

export interface DigestServer extends Pick<
  FleetHealth["data"][number],
  "server_id" | "name" | "verdict" | "since" | "reasons" | "headline"
> {
  readonly availability: Availability;
  /** First step of the leading finding; null without one, and for servers behind the worst few. */
  readonly step: NextStep["action"] | null;
}

/** The rule with the most alerts of the week, named as in its newest alert. */
export interface NoisyRule {
  readonly name: string;
  readonly serverName: string | null;
  readonly alerts: number;
}

export interface DigestFacts {
  readonly from: Instant;
  readonly to: Instant;
  readonly totals: FleetHealth["totals"];
  /** Worst first, without servers beyond the plan's quota. */
  readonly servers: readonly DigestServer[];
  readonly moreServers: number;
  readonly openAlerts: number;
  /** The week's `health_changed` entries. */
  readonly turns: readonly EventRecord[];
  /** The week's changes of software and settings, newest first. */
  readonly changes: readonly AccountEventRecord[];
  /** False if the timeline has more changes or verdicts than are read. */
  readonly isComplete: boolean;
  /** Alerts that opened in the week. */
  readonly alerts: { readonly count: number; readonly rules: number; readonly noisiest: NoisyRule | null };
}
