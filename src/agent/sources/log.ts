import { basename } from "node:path";
import { minuteMs, secondMs, toTimestamp, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import { FollowedFile, withoutReturn } from "../files/followed-file.ts";
import { holdsFile } from "../process/listening.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { Finding, Reading, Source } from "./source.ts";
import { withCrashReports } from "./crash-report.ts";
import { contentOf, type Archive } from "./log-archives.ts";
import { backBytes, checkLog } from "./log-check.ts";
import { ownLineForm } from "./log-form.ts";
import { noMemories, type LogMemories, type LostMemory } from "../state/log-memory.ts";
import { MissedEvents, missedLogs, unreadGap, type MissedLogs } from "./log-missed.ts";
import { logReader, type DatedFact } from "./log-reader.ts";
import { logStory } from "./log-story.ts";
import { ManagementBeside } from "./management-beside.ts";
import type { ManagementLink } from "./management.ts";
import { processWatch, type ProcessEnd, type ProcessWatch } from "./process-end.ts";

/** The position is saved this often while no line comes, ms. */
const keepEveryMs = 30 * secondMs;

/** The settings of the log are read again this often, ms. */
const formEveryMs = 10 * minuteMs;
/** An end is reported without the log if that cannot be read for so long, ms. */
const unreadMs = 10 * secondMs;

export interface LogParts {
  readonly root?: MachineRoot;
  readonly memories?: LogMemories;
  readonly management?: Pick<ManagementLink, "facts" | "close"> | null;
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
  readonly #root: MachineRoot;
  readonly #memories: LogMemories;
  readonly #watch: ProcessWatch;
  readonly #file: FollowedFile;
  readonly #story = logStory();
  readonly #reader = logReader();
  readonly #beside: ManagementBeside;
  #isBegun = false;
  /** Null if no missed lines are left. */
  #away: Away | null = null;
  #zoneMs: number | null = null;
  /** How the process ended, until the story takes it. */
  #ended: ProcessEnd | null = null;
  #endFoundAt: Instant = 0;
  #formAt = Number.NEGATIVE_INFINITY;
  #lookAgain: ProcessEnd["look"] | null = null;
  /** The story knows of the end, but the last lines of the process may not be read yet. */
  #isEnding = false;
  /** The event for what an earlier agent knew and nobody can read. */
  #lost: EventBody | null = null;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(
    install: ServerInstall,
    { root = thisMachine, memories = noMemories, management = null }: LogParts,
  ) {
    this.#beside = new ManagementBeside(management);
    this.#install = install;
    this.#root = root;
    this.#memories = memories;
    this.#watch = processWatch(install, root);
    this.#file = new FollowedFile(backBytes, async (identity) => {
      const { known } = this.#watch;
      return known !== null && holdsFile(root, known.pid, identity);
    });
  }

  check(): Promise<readonly Finding[]> {
    return checkLog(this.#install, this.#root);
  }

  async read(now: Instant, signal: AbortSignal): Promise<Reading> {
    if (!this.#isBegun) await this.#begin(now);
    const ended = this.#ended ? null : await this.#watch.findEnd(now);
    if (ended) [this.#ended, this.#endFoundAt] = [ended, now];
    this.#story.sawLiving(this.#watch.living);
    if (ended) this.#formAt = Number.NEGATIVE_INFINITY;
    await this.#learnForm(now);
    const missed = this.#away;
    if (missed && (await this.#readAside(missed))) return {};
    const lost = this.#lost;
    const read = await (missed ? this.#readReturned(missed, now, signal) : this.#readNow(now, signal));
    this.#lost = null;
    const found = read.events && (await withCrashReports(read.events, this.#install.directory));
    const events = lost ? [lost, ...(found ?? [])] : found;
    const reading = { ...read, ...(events && { events }) };
    return { ...reading, settle: () => this.#settle(now, (reading.events?.length ?? 0) > 0) };
  }

  close(): Promise<void> {
    this.#beside.close();
    return this.#file.close();
  }

  /** Continues where the agent ended; if that cannot be read now, the next reading tries again. */
  async #begin(now: Instant): Promise<void> {
    const known = await this.#memories.load();
    if (known !== null && "lostAt" in known) this.#lost = lostMemory(known, now);
    else if (known !== null) {
      const missed = await missedLogs(this.#install.log, known, { now, backBytes });
      if (known.process) this.#watch.remember(known.process);
      this.#away = { ...missed, events: new MissedEvents(missed), next: 0, isAtEnd: false };
      this.#zoneMs = known.zone_ms;
    }
    this.#isBegun = true;
  }

  /** The server may have been started anew with other settings of its log. */
  async #learnForm(now: Instant): Promise<void> {
    if (Math.abs(now - this.#formAt) < formEveryMs) return;
    this.#formAt = now;
    const form = await ownLineForm(this.#install, this.#root);
    if (form) this.#reader.use(form);
  }

  #takeAll(facts: readonly DatedFact[]): void {
    for (const fact of facts) this.#story.take(fact);
  }

  #noteEnd(): boolean {
    if (!this.#ended) return false;
    this.#story.sawEnd(this.#ended);
    this.#lookAgain = this.#ended.look;
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
      const { writtenAt, skippedBytes } = await this.#file.read(
        this.#install.log,
        take,
        signal,
        missed.first,
      );
      if (skippedBytes > 0) missed.events.add([skippedPart(skippedBytes, now)], 0);
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
    this.#story.readUp(now);
    const { events = [], leftOut = 0, ...reading } = this.#story.reading("missed");
    missed.events.add(events, leftOut);
    return { ...reading, events: missed.events.all };
  }

  /** A log that cannot be read does not hide the end of the process. */
  async #readNow(now: Instant, signal: AbortSignal): Promise<Reading> {
    try {
      return await this.#readOn(now, signal);
    } catch (error) {
      this.#takeAll(this.#beside.with([], now));
      if (this.#isEnding && now - this.#endFoundAt >= unreadMs) await this.#settleEnd();
      this.#story.readUp(now);
      const { leftOut: _, ...reading } = this.#story.reading("now");
      if (reading.events === undefined) throw error;
      return reading;
    }
  }

  async #readOn(now: Instant, signal: AbortSignal): Promise<Reading> {
    const isOver = this.#isEnding;
    const isNoted = this.#noteEnd();
    // If the log cannot be read this time, the end is settled after the next reading.
    this.#isEnding = isNoted || isOver;
    const take = (line: string): void => this.#reader.take(line);
    const followed = await this.#file.read(this.#install.log, take, signal);
    const { writtenAt, isPast, isAnew, skippedBytes } = followed;
    if (isAnew) this.#story.anew();
    const found = writtenAt === null ? [] : this.#reader.found(writtenAt, isOver ? Infinity : now);
    this.#takeAll(this.#beside.with(found, now));
    if (isOver) await this.#settleEnd();
    this.#isEnding = isNoted;
    this.#story.readUp(now);
    const { leftOut: _, ...reading } = this.#story.reading(isPast ? "past" : "now");
    if (skippedBytes === 0 || isPast) return reading;
    return { ...reading, events: [skippedPart(skippedBytes, now), ...(reading.events ?? [])] };
  }

  async #settleEnd(): Promise<void> {
    if (this.#lookAgain) this.#story.sawWitness(await this.#lookAgain());
    this.#lookAgain = null;
    this.#story.settleEnd(this.#reader.lastLine.at);
    this.#isEnding = false;
    await this.#file.forgetFormer();
  }

  /** Saves the position once the events are safe. If it rejects, a restart reads the same lines again. */
  async #settle(now: Instant, isNews: boolean): Promise<void> {
    if (!isNews && Math.abs(now - this.#keptAt) < keepEveryMs) return;
    const file = await this.#file.position();
    const process = this.#watch.known;
    if (!file && !process) return;
    const { at, zoneMs } = this.#reader.lastLine;
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

/** The content of the agent's own memory was wrong: what came since then is not known. */
const lostMemory = ({ lostAt }: LostMemory, now: Instant): EventBody => ({
  ...unreadGap(
    `memory-${Math.floor(lostAt)}`,
    "The log since the agent last ran",
    "The agent's file with how far it had read was damaged, so the log is read from now on.",
    now,
  ),
  metadata: { from: toTimestamp(lostAt), to: toTimestamp(now) },
  duration_ms: Math.max(0, Math.round(now - lostAt)),
});

export const logSource = (install: ServerInstall, parts: LogParts = {}): Source =>
  new LogSource(install, parts);
