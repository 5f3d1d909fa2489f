import { hourMs, minuteMs, type Instant } from "../time.ts";

/**
 * A moment on two clocks. `ticks` is monotonic within one `boot` of the machine; `wall` is the date, which
 * can be set.
 */
export interface Moment {
  readonly boot: string;
  readonly ticks: number;
  readonly wall: Instant;
}

/** An event: `ms` had passed since then at the moment `at`. */
export interface Counted {
  /** Identifies the event, such as by the backup's file name. */
  readonly key: string;
  readonly at: Moment;
  readonly ms: number;
}

/** The last backup and the last failed attempt; null if unknown. */
export interface BackupRecord {
  readonly made: Counted | null;
  readonly failed: Counted | null;
}

export interface BackupHistory extends BackupRecord {
  /** Keys of recent events: an event is taken in once, and its time is counted from then on. */
  readonly heardOf: readonly string[];
}

export const noHistory: BackupHistory = { made: null, failed: null, heardOf: [] };

/** More than one backup and one failure of each process that shares a folder. */
const mostHeardOf = 64;

/** After a failed backup the next attempt follows this much later, ms. */
export const retryMs = 10 * minuteMs;

/** A waiting process writes this often how long it has waited, ms. */
export const noteMs = (everyMs: number): number => Math.max(minuteMs, Math.min(hourMs, everyMs / 4));

/** Time since the event, ms. Between two boots the date is used; a date that was set back adds nothing. */
export const countedUntil = ({ at, ms }: Counted, now: Moment): number =>
  ms + Math.max(0, at.boot === now.boot ? now.ticks - at.ticks : now.wall - at.wall);

/** The same event counted up to `now`, so that later changes of the date have no effect. */
export const carriedOn = <C extends Counted | null>(counted: C, now: Moment): C =>
  counted === null ? counted : { ...counted, at: now, ms: countedUntil(counted, now) };

/** Time until the next backup, ms: a period after the last one, and `retryMs` after a failure. */
export function backupWaitMs({ made, failed }: BackupRecord, everyMs: number, now: Moment): number {
  const left = (since: Counted | null, ms: number): number =>
    since === null ? 0 : ms - countedUntil(since, now);
  return Math.max(0, left(made, everyMs), left(failed, retryMs));
}

/** Adds a backup or failure of this process, or what another process recorded; the later event wins. */
export function withNews(known: BackupHistory, news: BackupRecord, now: Moment): BackupHistory {
  const heardOf = known.heardOf.slice(-mostHeardOf);
  const later = (one: Counted | null, other: Counted | null): Counted | null => {
    if (other === null || known.heardOf.includes(other.key)) return one;
    heardOf.push(other.key);
    const carried = carriedOn(other, now);
    return one !== null && countedUntil(one, now) < carried.ms ? one : carried;
  };
  return { made: later(known.made, news.made), failed: later(known.failed, news.failed), heardOf };
}
