import { dayMs, minuteMs, secondMs, type Instant } from "../../core/time.ts";
import type { Stamp } from "./log-line.ts";

/** Zones differ from UTC by whole quarters of an hour. */
const quarterMs = 15 * minuteMs;
/** A line is in the file within this time of its stamp; a greater distance says nothing of the zone, ms. */
const writtenWithinMs = 10 * secondMs;
/** So far from the last line its offset from UTC is believed rather than the zone's calendar, ms. */
const sameOffsetMs = 2 * 60 * minuteMs;

/** No zone is further from UTC, ms. */
const furthestZoneMs = 14 * 60 * minuteMs;

const floorDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

/** The instant of a wall clock's time in this machine's zone; a time that is skipped in spring is moved on. */
const zoneOffsetMs = (at: Instant): number => -new Date(at).getTimezoneOffset() * minuteMs;

/** The instant at which this machine's wall clock shows `wallMs`. */
function instantInZone(wallMs: number): Instant {
  const wall = new Date(wallMs);
  return new Date(
    wall.getUTCFullYear(),
    wall.getUTCMonth(),
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
    wall.getUTCMilliseconds(),
  ).getTime();
}

/** The last line's wall clock as if it were UTC, and how far the log's zone is ahead of UTC; null is this machine's. */
function zoneOf(last: Stamp, writtenAt: Instant): { lastWallMs: number; offsetMs: number | null } {
  // The day that brings the stamp nearest to the file's own time; with a date there is nothing to choose.
  const sameDay = (last.dateMs ?? floorDay(writtenAt)) + last.clockMs;
  const aheadMs = sameDay - writtenAt;
  const offsetMs = Math.round(aheadMs / quarterMs) * quarterMs;
  const isZone = last.dateMs === null || Math.abs(offsetMs) <= furthestZoneMs;
  if (isZone && Math.abs(aheadMs - offsetMs) <= writtenWithinMs) {
    const halfDay = dayMs / 2;
    if (last.dateMs !== null || Math.abs(offsetMs) <= halfDay) return { lastWallMs: sameDay, offsetMs };
    const shift = offsetMs > 0 ? -dayMs : dayMs;
    return { lastWallMs: sameDay + shift, offsetMs: offsetMs + shift };
  }
  // Copied or touched since: the latest such time of this machine's zone that had passed then.
  if (last.dateMs !== null) return { lastWallMs: sameDay, offsetMs: null };
  const wallMs = floorDay(writtenAt + zoneOffsetMs(writtenAt)) + last.clockMs;
  const isAhead = instantInZone(wallMs) > writtenAt + minuteMs;
  return { lastWallMs: isAhead ? wallMs - dayMs : wallMs, offsetMs: null };
}

export interface Dated {
  readonly date: (stamp: Stamp) => Instant;
  /** How far the log's zone is ahead of UTC, ms; null is this machine's. */
  readonly zoneMs: number | null;
}

/**
 * Dates the stamps of a log whose last one is `last` and whose file was last written at `writtenAt`. The file's own
 * time gives away the log's zone and its day, so that a server in a container with another zone, midnights and
 * changes to summer time do no harm. Nothing is dated after `writtenAt`.
 */
export function datedBy(last: Stamp, writtenAt: Instant): Dated {
  const { lastWallMs, offsetMs } = zoneOf(last, writtenAt);
  const lastAt = offsetMs === null ? instantInZone(lastWallMs) : lastWallMs - offsetMs;
  const isOurZone = offsetMs === null || offsetMs === zoneOffsetMs(lastAt);
  const date = ({ day, clockMs, dateMs }: Stamp): Instant => {
    const wallMs = (dateMs ?? floorDay(lastWallMs) + (day - last.day) * dayMs) + clockMs;
    const byOffset = wallMs - (lastWallMs - lastAt);
    const isNear = Math.abs(lastWallMs - wallMs) <= sameOffsetMs;
    return Math.min(isNear || !isOurZone ? byOffset : instantInZone(wallMs), writtenAt);
  };
  return { date, zoneMs: isOurZone ? null : offsetMs };
}

/**
 * Dates the stamps of a log that was put aside: when its file was written says nothing of its lines, so all of them say
 * their day, and the zone is that of the log before.
 */
export const datedIn =
  (zoneMs: number | null, writtenAt: Instant) =>
  ({ clockMs, dateMs }: Stamp): Instant => {
    const wallMs = (dateMs ?? floorDay(writtenAt)) + clockMs;
    return Math.min(zoneMs === null ? instantInZone(wallMs) : wallMs - zoneMs, writtenAt);
  };
