import { timelineAt } from "../event/server-event.ts";
import type { Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { Availability } from "./health.ts";

/** What the availability of a server in a period is worked out from. */
export type AvailabilityFacts = Pick<
  HealthFacts,
  "from" | "to" | "state" | "stateSince" | "sampleTimes" | "firstSampleAt" | "events" | "maintenance"
>;

/** Samples come at least every minute: a longer silence than this is no part of a server's being up. */
const upGapMs = 90_000;

/** How far a stop's own time may lie from the last sample before it, ms. */
const stopToleranceMs = 120_000;

type Kind = "up" | "down" | "stopped" | "maintenance" | "unmonitored";

interface Stretch {
  readonly from: Instant;
  readonly to: Instant;
  readonly kind: Kind;
}

/** Whether the silence from `from` on began with a stop that the server announced. */
const isAnnounced = ({ events, state, stateSince }: AvailabilityFacts, from: Instant, to: Instant): boolean =>
  events.some(
    (event) =>
      (event.type === "server_stop" || event.type === "restart") &&
      Math.abs(timelineAt(event) - from) <= stopToleranceMs,
  ) ||
  ((state === "stopped" || state === "paused") &&
    stateSince !== null &&
    stateSince <= to &&
    stateSince >= from - stopToleranceMs);

/** The silences and the measured stretches of the period, in order. */
function stretchesOf(facts: AvailabilityFacts): Stretch[] {
  const { from, to, sampleTimes, firstSampleAt } = facts;
  if (firstSampleAt === null || firstSampleAt >= to) return [{ from, to, kind: "unmonitored" }];
  const stretches: Stretch[] = [];
  const start = Math.max(from, firstSampleAt);
  if (start > from) stretches.push({ from, to: start, kind: "unmonitored" });
  let last = start;
  const silence = (end: Instant): void => {
    stretches.push({ from: last, to: end, kind: isAnnounced(facts, last, end) ? "stopped" : "down" });
  };
  for (const at of sampleTimes) {
    if (at < start || at >= to) continue;
    if (at - last > upGapMs) silence(at);
    else stretches.push({ from: last, to: at, kind: "up" });
    last = at;
  }
  if (to - last > upGapMs) silence(to);
  else stretches.push({ from: last, to, kind: "up" });
  return stretches;
}

/** The part of a stretch that lies in windows of maintenance, ms; windows do not overlap. */
const inMaintenance = ({ from, to }: Stretch, { maintenance }: AvailabilityFacts): number =>
  maintenance.reduce(
    (sum, { startedAt, endsAt }) => sum + Math.max(0, Math.min(to, endsAt) - Math.max(from, startedAt)),
    0,
  );

/**
 * How the seconds of the period were spent. Silences are down unless the server announced a stop; time before the
 * first sample is unmonitored; a silence within a window of maintenance counts as maintenance.
 */
export function availabilityOf(facts: AvailabilityFacts): Availability {
  const spent: Record<Kind, number> = { up: 0, down: 0, stopped: 0, maintenance: 0, unmonitored: 0 };
  let incidents = 0;
  for (const stretch of stretchesOf(facts)) {
    const length = stretch.to - stretch.from;
    const excused = stretch.kind === "down" ? inMaintenance(stretch, facts) : 0;
    spent.maintenance += excused;
    spent[stretch.kind] += length - excused;
    if (stretch.kind === "down" && length > excused) incidents += 1;
  }
  const judged = spent.up + spent.down;
  const seconds = (kind: Kind): number => Math.round(spent[kind] / 1000);
  return {
    percent: judged === 0 ? null : Math.floor((spent.up / judged) * 10_000) / 100,
    up_seconds: seconds("up"),
    down_seconds: seconds("down"),
    stopped_seconds: seconds("stopped"),
    maintenance_seconds: seconds("maintenance"),
    unmonitored_seconds: seconds("unmonitored"),
    incidents,
  };
}
