import { dayMs, minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { isMisnamed, type Stamp } from "./log-line.ts";

/** Zones differ from UTC by whole quarters of an hour, ms. */
const quarterMs = 15 * minuteMs;
/** A line is written this soon after its stamp; a larger distance says nothing about the zone, ms. */
const writtenWithinMs = 10 * secondMs;
/** Lines this near to the last one are taken to have its UTC offset, whatever the calendar says, ms. */
const sameOffsetMs = 2 * 60 * minuteMs;

/** No zone is further from UTC, ms. */
const furthestZoneMs = 14 * 60 * minuteMs;

const floorDay = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

const zoneOffsetMs = (at: Instant): number => -new Date(at).getTimezoneOffset() * minuteMs;

/** The instant at which this machine's wall clock shows `wallMs`; a time that spring skips is moved on. */
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

interface Zone {
  /** As if it were UTC. */
  readonly lastWallMs: number;
  /** How far the zone is ahead of UTC, ms; null for this machine's zone. */
  readonly offsetMs: number | null;
}

/** The zone in which this last line was written just before `writtenAt`; null if there is none. */
function zoneByFile(last: Stamp, writtenAt: Instant): Zone | null {
  // Without a date, take the day that brings the stamp nearest to the file's own time.
  const sameDay = (last.dateMs ?? floorDay(writtenAt)) + last.clockMs;
  const aheadMs = sameDay - writtenAt;
  const offsetMs = Math.round(aheadMs / quarterMs) * quarterMs;
  if (Math.abs(aheadMs - offsetMs) > writtenWithinMs) return null;
  if (last.dateMs !== null)
    return Math.abs(offsetMs) > furthestZoneMs ? null : { lastWallMs: sameDay, offsetMs };
  if (Math.abs(offsetMs) <= dayMs / 2) return { lastWallMs: sameDay, offsetMs };
  const shift = offsetMs > 0 ? -dayMs : dayMs;
  return { lastWallMs: sameDay + shift, offsetMs: offsetMs + shift };
}

/** The file was copied or touched since its last line. */
function zoneOfCopy(last: Stamp, writtenAt: Instant): Zone {
  if (last.dateMs !== null) return { lastWallMs: last.dateMs + last.clockMs, offsetMs: null };
  // Take the latest such time before `writtenAt` in our own zone.
  const wallMs = floorDay(writtenAt + zoneOffsetMs(writtenAt)) + last.clockMs;
  const isAhead = instantInZone(wallMs) > writtenAt + minuteMs;
  return { lastWallMs: isAhead ? wallMs - dayMs : wallMs, offsetMs: null };
}

/** True if the file's time shows the same day of another month, to the second: the month's name misled. */
function hasOtherMonth(last: Stamp, writtenAt: Instant): boolean {
  const zone = last.dateMs === null ? null : zoneByFile({ ...last, dateMs: null }, writtenAt);
  return zone !== null && isMisnamed(last.dateMs ?? 0, zone.lastWallMs);
}

export interface Dated {
  readonly date: (stamp: Stamp) => Instant;
  /** How far the log's zone is ahead of UTC, ms; null for this machine's zone. */
  readonly zoneMs: number | null;
}

/**
 * Dates a log's stamps by its last stamp and the time of the file's last write, which together show the log's
 * zone and day. Nothing is dated after `writtenAt`.
 */
export function datedBy(given: Stamp, writtenAt: Instant): Dated {
  const isDated = !hasOtherMonth(given, writtenAt);
  const last = isDated ? given : { ...given, dateMs: null };
  const { lastWallMs, offsetMs } = zoneByFile(last, writtenAt) ?? zoneOfCopy(last, writtenAt);
  const lastAt = offsetMs === null ? instantInZone(lastWallMs) : lastWallMs - offsetMs;
  const isOurZone = offsetMs === null || offsetMs === zoneOffsetMs(lastAt);
  const date = ({ day, clockMs, dateMs }: Stamp): Instant => {
    const wallMs = ((isDated ? dateMs : null) ?? floorDay(lastWallMs) + (day - last.day) * dayMs) + clockMs;
    const byOffset = wallMs - (lastWallMs - lastAt);
    const isNear = Math.abs(lastWallMs - wallMs) <= sameOffsetMs;
    return Math.min(isNear || !isOurZone ? byOffset : instantInZone(wallMs), writtenAt);
  };
  return { date, zoneMs: isOurZone ? null : offsetMs };
}

/** Dates the stamps of a rotated log by their own dates: its file's time says nothing about its lines. */
export const datedIn =
  (zoneMs: number | null, writtenAt: Instant) =>
  ({ clockMs, dateMs }: Stamp): Instant => {
    const wallMs = (dateMs ?? floorDay(writtenAt)) + clockMs;
    return Math.min(zoneMs === null ? instantInZone(wallMs) : wallMs - zoneMs, writtenAt);
  };
