import type { PlanLimits } from "../access/plan.ts";
import { verdictNow, verdictRank } from "../health/health-summary.ts";
import type { HealthVerdict } from "../health/health.ts";
import type { StoredHealth } from "../health/stored-health.ts";
import type { ServerRecord } from "../server/server.ts";
import {
  derivedStatus,
  onlineWithinMs,
  type AcceptanceBasis,
  type DerivedStatus,
  type StateBasis,
} from "../server/status.ts";
import type { Instant } from "../time.ts";

/** How a server is among all of its account: enough to count it and to give it its place. */
export interface FleetStanding extends Pick<DerivedStatus, "state" | "status"> {
  readonly id: string;
  readonly name: string | null;
  readonly verdict: HealthVerdict;
  /** Null if it is not known since when. */
  readonly since: Instant | null;
  /** Whether its verdict is still healthy, and its newest measurement is late. */
  readonly isSlowNow: boolean;
  /** Zero for a server that is offline or does not say. */
  readonly players: number;
  readonly openAlerts: number;
  /** Whether an enabled rule watches it; null for a server that is not monitored, whose rules are paused. */
  readonly isWatched: boolean | null;
}

export type Basis = StateBasis & AcceptanceBasis & Pick<ServerRecord, "id" | "name">;

export interface KnownOfServer {
  /** Of the newest sample. */
  readonly playerCount: number | null;
  readonly areTicksLate: boolean;
  readonly health: Pick<StoredHealth, "verdict" | "since" | "verdictFrom" | "evaluatedAt"> | null;
  readonly openAlerts: number;
  readonly hasEnabledRule: boolean;
}

export function fleetStandingOf(
  server: Basis,
  known: KnownOfServer,
  limits: PlanLimits,
  now: Instant,
): FleetStanding {
  const derived = derivedStatus(server, limits, now);
  const { state, status } = derived;
  const { verdict, since } = verdictNow(known.health, derived, server.lastHeartbeat);
  const isFresh = server.sampledAt !== null && now - server.sampledAt <= onlineWithinMs;
  return {
    id: server.id,
    name: server.name,
    state,
    status,
    verdict,
    since,
    isSlowNow: verdict === "healthy" && state === "running" && isFresh && known.areTicksLate,
    players: status === "online" ? (known.playerCount ?? 0) : 0,
    openAlerts: known.openAlerts,
    isWatched: state === "not_monitored" ? null : known.hasEnabledRule,
  };
}

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** A healthy server whose newest measurement is late ranks right before the other healthy ones. */
const rankOf = ({ verdict, state, isSlowNow }: FleetStanding): number =>
  verdictRank(verdict, state !== "not_monitored") - (isSlowNow ? 0.5 : 0);

const compareSince = (one: Instant | null, other: Instant | null): number =>
  one === other ? 0 : (one ?? Infinity) - (other ?? Infinity);

/** By verdict, open alerts, duration (longest first), name (nameless last) and id; text by code units. */
export const worstServerFirst = (one: FleetStanding, other: FleetStanding): number =>
  rankOf(one) - rankOf(other) ||
  other.openAlerts - one.openAlerts ||
  compareSince(one.since, other.since) ||
  Number(one.name === null) - Number(other.name === null) ||
  compareText(one.name ?? "", other.name ?? "") ||
  compareText(one.id, other.id);
