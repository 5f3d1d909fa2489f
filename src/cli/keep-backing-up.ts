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

export interface BackupTurns {
  readonly made: (backup: MadeBackup) => void;
  readonly failed: (error: unknown) => void;
  /** Called at the start if the first backup waits because the last attempt failed, ms. */
  readonly waits: (ms: number) => void;
  /** Returns false, without running the work, if another process of the service makes a backup. */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
}

/** Time until the next look while another process makes a backup, ms. */
const turnMs = 60_000;

/**
 * Makes a backup a period after the last one, or ten minutes after a failure. A steady clock counts the time,
 * and the folder keeps it, so neither a changed date nor a restart makes a second backup in a period.
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
        // Another process may have made the backup meanwhile.
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
    // The backup exists, so a failure after it is no reason to make another one.
    turns.failed(error);
  }
}

/** For `backup FOLDER --keep`. Processes that make regular backups count it as theirs. */
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

/** When the next backup is due, counted by this process and those before it. */
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

  /** Other processes' records can only make the wait longer, so they are read at its end. */
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

  /** Counts from the start of the backup. */
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

  /** Without a record, believes the newest backup name that is not ahead of now. */
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
