import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { BackupClock } from "../../src/cli/backup-clock.ts";
import type { BackupFolder } from "../../src/cli/backup-folder.ts";
import type { BackupTurns } from "../../src/cli/keep-backing-up.ts";
import type { Moment } from "../../src/core/backup/schedule.ts";
import { minuteMs } from "../../src/core/time.ts";

/** What makes backups again and again: the service's own, or the rule of a version before it. */
export type Keeper = (
  into: BackupFolder,
  signal: AbortSignal,
  turns: BackupTurns,
  clock: BackupClock,
) => Promise<void>;

interface Wake {
  readonly at: number;
  readonly owner: object;
  readonly resolve: () => void;
}

/** Time as it truly passes, and the machine's idea of it: a history can set the date, and start the machine anew. */
export class BackupWorld {
  /** The true time, ms. */
  now = 0;
  boot = 1;
  #bootAt = 0;
  /** How far the date is from the true time. */
  #dateOffset = Date.UTC(2026, 10, 25);
  /** How often the date was put ahead. */
  stepsAhead = 0;
  folderTakes = true;
  #wakes: Wake[] = [];

  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder);
  }

  get wall(): number {
    return this.now + this.#dateOffset;
  }

  moment(): Moment {
    return { boot: `boot ${this.boot}`, ticks: this.now - this.#bootAt, wall: this.wall };
  }

  stepDate(ms: number): void {
    this.#dateOffset += ms;
    if (ms > 0) this.stepsAhead += 1;
  }

  reboot(): void {
    this.boot += 1;
    this.#bootAt = this.now;
  }

  clockFor(owner: object): BackupClock {
    return {
      now: () => this.moment(),
      rest: (ms, signal) =>
        new Promise((resolve) => {
          const end = (): void => {
            signal.removeEventListener("abort", end);
            resolve();
          };
          this.#wakes.push({ at: this.now + ms, owner, resolve: end });
          signal.addEventListener("abort", end);
        }),
    };
  }

  /** A process that was killed never wakes. */
  forget(owner: object): void {
    this.#wakes = this.#wakes.filter((wake) => wake.owner !== owner);
  }

  /** Lets the time pass, with everybody who wakes meanwhile; `look` is called after each of them. */
  async pass(ms: number, look: () => void, mostWakes = 60): Promise<void> {
    const end = this.now + ms;
    for (let wakes = 0; ; wakes += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      look();
      const [next] = this.#wakes.toSorted((one, other) => one.at - other.at);
      if (next === undefined || next.at > end || wakes > mostWakes) break;
      this.#wakes = this.#wakes.filter((wake) => wake !== next);
      this.now = Math.max(this.now, next.at);
      next.resolve();
    }
    this.now = end;
    look();
  }
}

/** A period after the last backup another one is due; the times of attempts are those of the true clock. */
const slackMs = 1000;
const retryMs = 10 * minuteMs;

/** One database of a history: its process, and what an outsider sees of its backups. */
export class BackedUp {
  readonly #world: BackupWorld;
  readonly #keeper: Keeper;
  readonly into: BackupFolder;
  readonly made: string[] = [];
  readonly violations: string[] = [];
  #process: { readonly ending: AbortController; readonly done: Promise<void> } | null = null;
  #lastMade: number | null = null;
  #lastFailed: number | null = null;
  /** Time in which a process ran and the folder took files, since the last backup, and what may have held it up. */
  #waited = 0;
  #allowed = 0;
  #lookedAt = 0;
  #wasRefused = false;
  #isChanged = false;
  #stepsBefore = 0;
  /** The machine started anew with a date that went ahead: nobody can tell this from a machine that was off. */
  #isJump = false;

  constructor(
    world: BackupWorld,
    keeper: Keeper,
    into: Pick<BackupFolder, "keep" | "everyMs">,
    identity: string,
  ) {
    this.#world = world;
    this.#keeper = keeper;
    const write = async (draft: string): Promise<void> => this.#attempt(draft);
    this.into = { ...into, folder: world.folder, database: { identity, ending: "db", write } };
  }

  #attempt(draft: string): void {
    const { now } = this.#world;
    if (this.#lastFailed !== null && now - this.#lastFailed < retryMs && !this.#isJump)
      this.#violated(`another attempt ${now - this.#lastFailed} ms after one that failed`);
    if (!this.#world.folderTakes) {
      this.#lastFailed = now;
      throw new Error("the folder takes no file");
    }
    writeFileSync(draft, this.into.database.identity);
    const date = this.#world.wall / 1000;
    utimesSync(draft, date, date);
  }

  start(): void {
    const ending = new AbortController();
    const turns: BackupTurns = {
      made: ({ file }) => this.#noteMade(file),
      failed: () => {},
      waits: () => {},
      alone: async (work) => {
        await work();
        return true;
      },
    };
    this.#process = {
      ending,
      done: this.#keeper(this.into, ending.signal, turns, this.#world.clockFor(this)),
    };
  }

  /** Ends the process; `kill`: without a word. */
  async end(kill: boolean): Promise<void> {
    if (this.#process === null) return;
    if (kill) this.#allowed += this.into.everyMs / 4 + minuteMs;
    else {
      this.#process.ending.abort();
      await this.#process.done;
    }
    this.#world.forget(this);
    this.#process = null;
  }

  #noteMade(file: string): void {
    const { now } = this.#world;
    if (this.#lastMade !== null && now - this.#lastMade < this.into.everyMs - slackMs && !this.#isJump)
      this.#violated(`two backups within ${now - this.#lastMade} ms`);
    this.made.push(basename(file));
    [this.#lastMade, this.#lastFailed, this.#waited, this.#allowed] = [now, null, 0, 0];
    this.#isJump = false;
    this.#isChanged = true;
    this.#lookedAt = now;
    this.#stepsBefore = this.#world.stepsAhead;
  }

  #violated(violation: string): void {
    if (this.violations.at(-1) !== violation) this.violations.push(violation);
  }

  noteReboot(): void {
    this.#isJump ||= this.#world.stepsAhead > this.#stepsBefore;
    // With a date that went back, the time since a failure is counted from the start.
    this.#allowed += retryMs;
  }

  /** What holds at every moment. */
  look(): void {
    const { now, folder, folderTakes } = this.#world;
    if (folderTakes && this.#process !== null) this.#waited += now - this.#lookedAt;
    // The last of the attempts that failed may have been a moment ago.
    if (folderTakes && this.#wasRefused) this.#allowed += retryMs;
    this.#wasRefused = !folderTakes;
    this.#lookedAt = now;
    const most = this.into.everyMs + this.#allowed + retryMs + minuteMs;
    if (this.#waited > most) {
      this.#violated(`no backup for ${this.#waited} ms in which there could be one`);
      this.#waited = 0;
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const files = readdirSync(folder);
    const left = files.filter((name) => name.startsWith(`tickmark-${this.into.database.identity}-`)).length;
    if (left < Math.min(this.made.length, this.into.keep ?? 0))
      this.#violated(`${left} of ${this.made.length} backups are left`);
    const last = this.made.at(-1);
    if (last !== undefined && !files.includes(last)) this.#violated("the last backup is gone");
  }
}

export const filesIn = (folder: string): string[] => readdirSync(folder).toSorted();
