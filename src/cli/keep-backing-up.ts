import { basename } from "node:path";
import {
  backupWaitMs,
  noHistory,
  noteMs,
  withNews,
  type BackupHistory,
  type Counted,
  type Moment,
} from "../core/backup/schedule.ts";
import { machineClock, type BackupClock } from "./backup-clock.ts";
import {
  backupInto,
  newestBackup,
  removeOlderBackups,
  type BackupFolder,
  type MadeBackup,
} from "./backup-folder.ts";
import { recordBackup, noteWaited, readRecord } from "./backup-record.ts";

/** What a process that goes on making backups tells, and how it takes turns with others. */
export interface BackupTurns {
  readonly made: (backup: MadeBackup) => void;
  readonly failed: (error: unknown) => void;
  /** Receives at the start how long the first backup waits because the last attempt failed, ms. */
  readonly waits: (ms: number) => void;
  /** Runs the work unless another process of the service makes a backup; false where one does. */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
}

/** While another process makes a backup, this one looks again so much later, ms. */
const turnMs = 60_000;

/**
 * Makes a backup a period after the last one, until `signal` ends it. The time is counted by a clock that nobody sets,
 * and what processes before or beside this one counted is written down in the folder: so neither a date that jumps nor
 * a start makes a second backup in a period. After a failure it tries again in ten minutes.
 */
export async function keepBackingUp(
  into: BackupFolder,
  signal: AbortSignal,
  turns: BackupTurns,
  clock: BackupClock = machineClock(),
): Promise<void> {
  const schedule = new Schedule(into, clock);
  const { failed } = schedule.history;
  if (failed !== null && schedule.waitMs() > 0) turns.waits(schedule.waitMs());
  while (!signal.aborted) {
    const ms = schedule.waitMs();
    if (ms > 0) {
      await clock.rest(Math.min(ms, noteMs(into.everyMs)), signal);
      schedule.note();
      continue;
    }
    try {
      const isMine = await turns.alone(async () => {
        // Another process may have made it since.
        if (schedule.waitMs() === 0) await makeOne(into, schedule, signal, turns, clock);
      });
      if (!isMine) await clock.rest(turnMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      schedule.failed();
      turns.failed(error);
    }
  }
}

async function makeOne(
  into: BackupFolder,
  schedule: Schedule,
  signal: AbortSignal,
  turns: BackupTurns,
  clock: BackupClock,
): Promise<void> {
  const begun = clock.now();
  const backup = await backupInto(into, begun.wall, signal);
  turns.made(backup);
  try {
    schedule.made(backup.file, begun);
    removeOlderBackups(into, backup.file, clock.now().wall);
  } catch (error) {
    // The backup is there: that what surrounds it failed is no reason to make another one.
    turns.failed(error);
  }
}

/** Makes one backup now, as `backup FOLDER --keep` does; whoever makes them regularly counts it as theirs. */
export async function backUpOnce(
  into: BackupFolder,
  clock: BackupClock = machineClock(),
): Promise<MadeBackup> {
  const begun = clock.now();
  const backup = await backupInto(into, begun.wall);
  recordBackup(placeOf(into), { key: basename(backup.file), at: begun, ms: 0 });
  removeOlderBackups(into, backup.file, clock.now().wall);
  return backup;
}

const placeOf = ({ folder, database }: BackupFolder) => ({ folder, identity: database.identity });

/** When the next backup is due, as this process and those before it counted. */
class Schedule {
  readonly #into: BackupFolder;
  readonly #clock: BackupClock;
  #known: BackupHistory = noHistory;

  constructor(into: BackupFolder, clock: BackupClock) {
    this.#into = into;
    this.#clock = clock;
    const now = clock.now();
    this.#read(now);
    if (this.#known.made === null)
      this.#known = withNews(this.#known, { made: this.#byName(now), failed: null }, now);
  }

  get history(): BackupHistory {
    return this.#known;
  }

  /** What others wrote down can only make it longer, and is read when it would be over. */
  waitMs(): number {
    const now = this.#clock.now();
    const ms = backupWaitMs(this.#known, this.#into.everyMs, now);
    if (ms > 0) return ms;
    this.#read(now);
    return backupWaitMs(this.#known, this.#into.everyMs, now);
  }

  note(): void {
    noteWaited(placeOf(this.#into), this.#known, this.#clock.now());
  }

  /** Counts from where the backup began. */
  made(file: string, begun: Moment): void {
    const made: Counted = { key: basename(file), at: begun, ms: 0 };
    this.#known = withNews({ ...this.#known, made: null, failed: null }, { made, failed: null }, begun);
    recordBackup(placeOf(this.#into), made);
  }

  failed(): void {
    const at = this.#clock.now();
    const failed: Counted = { key: `${at.boot} ${at.ticks}`, at, ms: 0 };
    this.#known = withNews(this.#known, { made: null, failed }, at);
    this.note();
  }

  #read(now: Moment): void {
    this.#known = withNews(this.#known, readRecord(placeOf(this.#into)), now);
  }

  /** Where nothing was written down the newest name that is not ahead of now is believed. */
  #byName({ boot, ticks, wall }: Moment): Counted | null {
    const { folder, database } = this.#into;
    const newest = newestBackup(folder, database.identity, wall);
    return (
      newest && {
        key: basename(newest.name),
        at: { boot, ticks: ticks - (wall - newest.at), wall: newest.at },
        ms: 0,
      }
    );
  }
}
