import { hourMs, minuteMs, type Instant } from "../time.ts";

/**
 * One moment by two clocks. `ticks` runs on evenly whatever the date is set to, and means nothing in another `boot` of
 * the machine; `wall` is the date, which anybody may set.
 */
export interface Moment {
  readonly boot: string;
  readonly ticks: number;
  readonly wall: Instant;
}

/** Something that happened, and how much time had passed since at a moment. */
export interface Counted {
  /** What tells it from others: the file of a backup, say. */
  readonly key: string;
  readonly at: Moment;
  readonly ms: number;
}

/** The last backup and the last attempt that failed, as far as they are known. */
export interface BackupRecord {
  readonly made: Counted | null;
  readonly failed: Counted | null;
}

/** What a process knows of the backups before. */
export interface BackupHistory extends BackupRecord {
  /** The keys of what was taken in lately: each is counted from when it was first heard of, and read once. */
  readonly heardOf: readonly string[];
}

export const noHistory: BackupHistory = { made: null, failed: null, heardOf: [] };

/** More than a backup and a failure of each of the processes that share a folder. */
const mostHeardOf = 64;

/** After a backup that failed another one is tried so much later, ms. */
export const retryMs = 10 * minuteMs;

/** A process that waits writes so often down how long it has waited, ms. */
export const noteMs = (everyMs: number): number => Math.max(minuteMs, Math.min(hourMs, everyMs / 4));

/** The time since then. Between two boots only the date tells, and a date that went back tells nothing. */
export const countedUntil = ({ at, ms }: Counted, now: Moment): number =>
  ms + Math.max(0, at.boot === now.boot ? now.ticks - at.ticks : now.wall - at.wall);

/** The same, counted until now: what the date does from here on has no influence. */
export const carriedOn = <C extends Counted | null>(counted: C, now: Moment): C =>
  counted === null ? counted : { ...counted, at: now, ms: countedUntil(counted, now) };

/** How long the next backup has to wait, ms: a period after the last one, and ten minutes after a failure. */
export function backupWaitMs({ made, failed }: BackupRecord, everyMs: number, now: Moment): number {
  const left = (since: Counted | null, ms: number): number =>
    since === null ? 0 : ms - countedUntil(since, now);
  return Math.max(0, left(made, everyMs), left(failed, retryMs));
}

/** What a process knows after a backup or a failure of its own, or after it read what was written down: the later counts. */
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
