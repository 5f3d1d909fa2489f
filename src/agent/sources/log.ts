import { basename } from "node:path";
import { minuteMs, secondMs, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import { FollowedFile, withoutReturn } from "../files/followed-file.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { Finding, Reading, Source } from "./source.ts";
import { contentOf, type Archive } from "./log-archives.ts";
import { noMemories, type LogMemories } from "../state/log-memory.ts";
import { MissedEvents, missedLogs, unreadGap, type MissedLogs } from "./log-missed.ts";
import { logReader, type DatedFact } from "./log-reader.ts";
import { logStory } from "./log-story.ts";
import { processWatch, type ProcessEnd, type ProcessWatch } from "./process-end.ts";

/** How much of an existing log is read for the server's last state, bytes: a day of a busy server. */
const backBytes = 16 * 1024 * 1024;
/** The position is saved this often while no line comes, ms. */
const keepEveryMs = 30 * secondMs;

export interface LogParts {
  readonly root?: MachineRoot;
  readonly memories?: LogMemories;
}

/** Progress through the lines that the agent missed. */
interface Away extends MissedLogs {
  readonly events: MissedEvents;
  next: number;
  /** The part of the current log that was known before has been read again. */
  isAtEnd: boolean;
}

/** Reads the server's log: starts, stops, crashes, lag, pauses and bans. */
class LogSource implements Source {
  readonly name = "latest.log";
  readonly #install: ServerInstall;
  readonly #memories: LogMemories;
  readonly #watch: ProcessWatch;
  readonly #file = new FollowedFile(backBytes);
  readonly #story = logStory();
  readonly #reader = logReader();
  #isBegun = false;
  /** Null if no missed lines are left. */
  #away: Away | null = null;
  #zoneMs: number | null = null;
  /** How the process ended, until the story takes it. */
  #ended: ProcessEnd | null = null;
  /** The story knows of the end, but the last lines of the process may not be read yet. */
  #isEnding = false;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(install: ServerInstall, { root = thisMachine, memories = noMemories }: LogParts) {
    this.#install = install;
    this.#memories = memories;
    this.#watch = processWatch(install, root);
  }

  check(): Promise<readonly Finding[]> {
    return check(this.#install);
  }

  async read(now: Instant, signal: AbortSignal): Promise<Reading> {
    if (!this.#isBegun) await this.#begin(now);
    this.#ended ??= await this.#watch.findEnd(now);
    const missed = this.#away;
    if (missed && (await this.#readAside(missed))) return {};
    const reading = await (missed ? this.#readReturned(missed, now, signal) : this.#readOn(now, signal));
    return { ...reading, settle: () => this.#settle(now, (reading.events?.length ?? 0) > 0) };
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Continues where the agent ended; if that cannot be read now, the next reading tries again. */
  async #begin(now: Instant): Promise<void> {
    const known = await this.#memories.load();
    if (known !== null) {
      const missed = await missedLogs(this.#install.log, known, { now, backBytes });
      if (known.process) this.#watch.remember(known.process);
      this.#away = { ...missed, events: new MissedEvents(missed), next: 0, isAtEnd: false };
      this.#zoneMs = known.zone_ms;
    }
    this.#isBegun = true;
  }

  #takeAll(facts: readonly DatedFact[]): void {
    for (const fact of facts) this.#story.take(fact);
  }

  #noteEnd(): boolean {
    if (!this.#ended) return false;
    this.#story.sawEnd(this.#ended);
    this.#ended = null;
    return true;
  }

  /** Reads the next rotated log; false if none is left. */
  async #readAside(missed: Away): Promise<boolean> {
    const one = missed.aside[missed.next];
    if (!one) return false;
    const content = await contentOf(one.archive);
    missed.next += 1;
    if (content === null) {
      missed.events.add([unreadArchive(one.archive)], 0);
      return true;
    }
    this.#reader.begin(one.archive.dayMs);
    const takePart = (part: Buffer): void => {
      for (const line of part.toString("utf8").split("\n")) this.#reader.take(withoutReturn(line));
      this.#takeAll(this.#reader.foundAside(one.archive.writtenAt, this.#zoneMs));
    };
    if (one.readBytes > 0) {
      takePart(content.subarray(0, one.readBytes - 1));
      this.#story.reading("past");
    }
    this.#isEnding = this.#noteEnd() || this.#isEnding;
    takePart(content.subarray(one.readBytes));
    const { events = [], leftOut = 0 } = this.#story.reading("missed");
    missed.events.add(events, leftOut);
    return true;
  }

  /** The first reading of the current log after the agent was away. */
  async #readReturned(missed: Away, now: Instant, signal: AbortSignal): Promise<Reading> {
    const readUp = async (): Promise<void> => {
      const take = (line: string): void => this.#reader.take(line);
      const { writtenAt } = await this.#file.read(this.#install.log, take, signal, missed.first);
      if (writtenAt !== null) this.#takeAll(this.#reader.found(writtenAt, now));
    };
    if (!missed.isAtEnd) {
      if (missed.aside.length > 0) this.#reader.begin(null);
      await readUp();
      this.#story.reading("past");
      missed.isAtEnd = true;
    }
    this.#isEnding = this.#noteEnd() || this.#isEnding;
    await readUp();
    this.#away = null;
    const { events = [], leftOut = 0, ...reading } = this.#story.reading("missed");
    missed.events.add(events, leftOut);
    return { ...reading, events: missed.events.all };
  }

  async #readOn(now: Instant, signal: AbortSignal): Promise<Reading> {
    const isOver = this.#isEnding;
    const isNoted = this.#noteEnd();
    // If the log cannot be read this time, the end is settled after the next reading.
    this.#isEnding = isNoted || isOver;
    const take = (line: string): void => this.#reader.take(line);
    const followed = await this.#file.read(this.#install.log, take, signal);
    const { writtenAt, isPast, isAnew, skippedBytes } = followed;
    this.#isEnding = isNoted;
    if (writtenAt === null) return {};
    if (isAnew) this.#story.anew();
    this.#takeAll(this.#reader.found(writtenAt, isOver ? Infinity : now));
    if (isOver) this.#story.settleEnd(this.#reader.lastLine.at);
    const { leftOut: _, ...reading } = this.#story.reading(isPast ? "past" : "now");
    if (skippedBytes === 0 || isPast) return reading;
    return { ...reading, events: [skippedPart(skippedBytes, now), ...(reading.events ?? [])] };
  }

  /** Saves the position once the events are safe. If it rejects, a restart reads the same lines again. */
  async #settle(now: Instant, isNews: boolean): Promise<void> {
    if (!isNews && Math.abs(now - this.#keptAt) < keepEveryMs) return;
    const file = await this.#file.position();
    if (!file) return;
    const { at, zoneMs } = this.#reader.lastLine;
    const process = this.#watch.known;
    await this.#memories.keep({ file, last_line_at: at, zone_ms: zoneMs, process });
    this.#keptAt = now;
  }
}

const unreadArchive = ({ path, writtenAt }: Archive): EventBody =>
  unreadGap(
    `${basename(path)}-${writtenAt}`,
    `${basename(path).slice(0, 100)} cannot be read`,
    "The server put this log aside while the agent did not run. It is closed to the agent's user, damaged or too long.",
    writtenAt,
  );

const skippedPart = (bytes: number, at: Instant): EventBody =>
  unreadGap(
    `skipped-${at}`,
    `${Math.round(bytes / 1024 / 1024)} MiB of the server's log were skipped`,
    "More was added to the log between two readings than the agent reads.",
    at,
  );

export const logSource = (install: ServerInstall, parts: LogParts = {}): Source =>
  new LogSource(install, parts);

async function check(install: ServerInstall): Promise<readonly Finding[]> {
  const about = "latest.log";
  const file = new FollowedFile(backBytes);
  const reader = logReader();
  try {
    let lines = 0;
    const take = (line: string): void => {
      lines += 1;
      reader.take(line);
    };
    const { writtenAt } = await file.read(install.log, take, AbortSignal.timeout(10_000));
    if (writtenAt === null) {
      const says =
        "This user can read no logs/latest.log: start the server once, or run the agent as the server's user.";
      return [{ able: false, about, says }];
    }
    const hasStart = reader.found(writtenAt, writtenAt + minuteMs).some(({ fact }) => fact.is === "ready");
    const says = hasStart
      ? "The log can be read, and has the last start of the server. It gives starts, stops, crashes, bans and lost time."
      : lines === 0
        ? "The log can be read, and is empty so far."
        : "The log can be read, and has no start of the server. It gives starts, stops, crashes, bans and lost time from now on.";
    return [{ able: true, about, says }];
  } finally {
    await file.close();
  }
}
