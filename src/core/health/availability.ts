import { timelineAt } from "../event/server-event.ts";
import type { Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import type { Availability } from "./health.ts";
import { unmonitoredTimes } from "./monitoring-transition.ts";

export type AvailabilityFacts = Pick<
  HealthFacts,
  | "from"
  | "to"
  | "state"
  | "stateSince"
  | "sampleTimes"
  | "firstSampleAt"
  | "events"
  | "transitions"
  | "maintenance"
>;

/** Samples come at least every minute; a longer silence than this is not counted as up, ms. */
const upGapMs = 90_000;

/** Tolerated distance between a stop's own time and the last sample before it, ms. */
const stopToleranceMs = 120_000;

/** A sample that follows an unclean end within this time is one of the process that ended, ms. */
const lastSampleMs = 10_000;

const kinds = ["up", "down", "stopped", "maintenance", "unmonitored"] as const;
type Kind = (typeof kinds)[number];

interface Stretch {
  readonly from: Instant;
  to: Instant;
  readonly kind: Kind;
}

/** Whether the server announced the silence that began at `from`, before its unclean end if there is one. */
function isAnnounced(facts: AvailabilityFacts, from: Instant, to: Instant, ended: Instant | null): boolean {
  const { events, transitions, state, stateSince } = facts;
  const isStopped = state === "stopped" || state === "paused";
  return (
    events.some(
      (event) =>
        (event.type === "server_stop" || event.type === "restart") &&
        (ended === null || timelineAt(event) <= ended) &&
        Math.abs(timelineAt(event) - from) <= stopToleranceMs,
    ) ||
    transitions.some(
      ({ kind, at }) =>
        (kind === "stopped" || kind === "paused") &&
        (ended === null || at <= ended) &&
        Math.abs(at - from) <= stopToleranceMs,
    ) ||
    (isStopped && stateSince !== null && stateSince <= to && stateSince >= from - stopToleranceMs)
  );
}

/** Hands out the unclean ends, oldest first, each for the silence that it began. */
function uncleanEnds({ events }: AvailabilityFacts): (from: Instant, to: Instant) => Instant | null {
  const ends = events
    .filter(({ type }) => type === "server_crash")
    .map(timelineAt)
    .toSorted((one, other) => one - other);
  let next = 0;
  return (from, to) => {
    let found: Instant | null = null;
    for (; (ends[next] ?? Infinity) < to; next += 1) {
      const at = ends[next] ?? 0;
      if (at >= from - lastSampleMs) found ??= Math.max(at, from);
    }
    return found;
  };
}

function stretchesOf(facts: AvailabilityFacts): readonly Readonly<Stretch>[] {
  const { from, to, sampleTimes, firstSampleAt } = facts;
  const unmonitored = unmonitoredTimes(facts.transitions);
  if (firstSampleAt === null || firstSampleAt >= to) return [{ from, to, kind: "unmonitored" }];
  const stretches: Stretch[] = [];
  const start = Math.max(from, firstSampleAt);
  if (start > from) stretches.push({ from, to: start, kind: "unmonitored" });
  let last = start;
  let newest: Stretch | null = null;
  let isEnded = false;
  let sampleAt: Instant | null = null;
  const add = (end: Instant, kind: Kind): void => {
    const begun = Math.max(start, last);
    last = end;
    if (end <= start) return;
    // A week has 20,000 samples but few stretches. A process may send a last sample after its crash.
    const continues = newest?.kind === kind && newest.to === begun;
    if (newest !== null && continues && (kind === "up" || isEnded)) newest.to = end;
    else stretches.push((newest = { from: begun, to: end, kind }));
    isEnded &&= kind === "down";
  };
  const endIn = uncleanEnds(facts);
  const judgedTo = (end: Instant): void => {
    const isSilent = end - last > upGapMs;
    const ended = endIn(last, end === sampleAt ? end - lastSampleMs : end);
    if ((isSilent || ended !== null) && isAnnounced(facts, last, end, ended))
      return add(end, isSilent ? "stopped" : "up");
    if (ended === null) return add(end, isSilent ? "down" : "up");
    if (ended > last) add(ended, ended - last > upGapMs ? "down" : "up");
    add(end, "down");
    isEnded = true;
  };
  // Time without monitoring splits a silence: the parts before and after it are judged by themselves.
  const upTo = (end: Instant): void => {
    for (const { from: off, to: on } of unmonitored) {
      if (on <= last || off >= end) continue;
      if (off > last) judgedTo(off);
      add(Math.min(on, end), "unmonitored");
    }
    if (end > last) judgedTo(end);
  };
  for (const at of sampleTimes) {
    sampleAt = at;
    // A silence may have begun before the period.
    if (at < start) last = at;
    else if (at < to) upTo(at);
  }
  sampleAt = null;
  // If the plan does not cover the server, nobody knows what it did since its last sample.
  if (facts.state === "not_monitored" && to - last > upGapMs) add(to, "unmonitored");
  else upTo(to);
  return stretches;
}

/** The part of a stretch in maintenance windows, ms; windows do not overlap. */
const inMaintenance = ({ from, to }: Readonly<Stretch>, { maintenance }: AvailabilityFacts): number =>
  maintenance.reduce(
    (sum, { startedAt, endsAt }) => sum + Math.max(0, Math.min(to, endsAt) - Math.max(from, startedAt)),
    0,
  );

/** Whole seconds that sum to the period: the remainder goes to the largest fractions. */
function wholeSeconds(spent: Readonly<Record<Kind, number>>): Record<Kind, number> {
  const total = Math.round(kinds.reduce((sum, kind) => sum + spent[kind], 0) / 1000);
  const seconds = { ...spent };
  for (const kind of kinds) seconds[kind] = Math.floor(spent[kind] / 1000);
  let left = total - kinds.reduce((sum, kind) => sum + seconds[kind], 0);
  const fractionOf = (kind: Kind): number => spent[kind] - seconds[kind] * 1000;
  for (const kind of kinds.toSorted((one, other) => fractionOf(other) - fractionOf(one)))
    if (left > 0) [seconds[kind], left] = [seconds[kind] + 1, left - 1];
  return seconds;
}

/** Up among up and down, percent, floored to two decimals so that no outage shows 100 %; null if both are 0. */
export function percentUp({ up_seconds: up, down_seconds: down }: UpAndDown): number | null {
  return up + down === 0 ? null : Math.floor((up / (up + down)) * 10_000) / 100;
}
type UpAndDown = Pick<Availability, "up_seconds" | "down_seconds">;

/**
 * Divides the period. After an unclean end a server is down at once; a silence is down unless the server announced it, or
 * maintenance covers it. Time before
 * the first sample or with monitoring switched off is unmonitored.
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
  const seconds = wholeSeconds(spent);
  const judged = { up_seconds: seconds.up, down_seconds: seconds.down };
  return {
    percent: percentUp(judged),
    ...judged,
    stopped_seconds: seconds.stopped,
    maintenance_seconds: seconds.maintenance,
    unmonitored_seconds: seconds.unmonitored,
    incidents,
  };
}
