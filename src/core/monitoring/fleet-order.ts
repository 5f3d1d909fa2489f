import { verdictRank, type HealthSummary } from "../health/health-summary.ts";
import { lateNowOf } from "../health/late-now.ts";
import type { ServerStatus } from "../server/status.ts";
import { sortedInSteps } from "../sorted-in-steps.ts";
import type { Instant } from "../time.ts";

/** A server's row of the overview: what decides its place. */
interface FleetRow extends Pick<ServerStatus, "server_id" | "state" | "current" | "sampled_at"> {
  readonly name: string | null;
  readonly open_alerts: readonly unknown[];
  readonly health: Pick<HealthSummary, "verdict" | "since">;
}

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** A healthy server whose newest measurement is late ranks right before the other healthy ones. */
function rankOf(row: FleetRow, now: Instant): number {
  const rank = verdictRank(row.health.verdict, row.state !== "not_monitored");
  const isSlowNow = row.health.verdict === "healthy" && Object.keys(lateNowOf(row, now)).length > 0;
  return isSlowNow ? rank - 0.5 : rank;
}

/** Later than every timestamp: an unknown beginning is sorted last. */
const unknownSince = "~";

interface Ranked<R> {
  readonly row: R;
  readonly rank: number;
}

/** By verdict, open alerts, duration (longest first), name (nameless last) and id; text by code units. */
function worstFirst(
  { row: one, rank }: Ranked<FleetRow>,
  { row: other, rank: otherRank }: Ranked<FleetRow>,
): number {
  return (
    rank - otherRank ||
    other.open_alerts.length - one.open_alerts.length ||
    compareText(one.health.since ?? unknownSince, other.health.since ?? unknownSince) ||
    Number(one.name === null) - Number(other.name === null) ||
    compareText(one.name ?? "", other.name ?? "") ||
    compareText(one.server_id, other.server_id)
  );
}

/** The worst servers first; yields after each portion of rows. */
export function* inFleetOrder<R extends FleetRow>(
  rows: readonly R[],
  portion: number,
  now: Instant,
): Generator<void, R[]> {
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, now) }));
  return (yield* sortedInSteps(ranked, worstFirst, portion)).map(({ row }) => row);
}
