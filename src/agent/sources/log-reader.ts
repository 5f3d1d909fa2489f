import { secondMs, type Instant } from "../../core/time.ts";
import { datedBy, datedIn } from "./log-clock.ts";
import type { LogFact } from "./log-fact.ts";
import { factOf, modErrors } from "./log-facts.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "./log-line.ts";
import { oddNames } from "./log-origin.ts";
import { factOfRaw, followsOf, type Follows } from "./log-trace.ts";

interface Found {
  readonly fact: LogFact;
  readonly stamp: Stamp | null;
  /** The stamp of the line before; null if that was read earlier. */
  readonly before: Stamp | null;
  readonly line: string;
}

export interface DatedFact {
  readonly fact: LogFact;
  readonly at: Instant;
  /** When the line before was written; null where there was none. */
  readonly lineBeforeAt: Instant | null;
  readonly line: string;
}

export interface LogReader {
  take(line: string): void;
  /** Facts since the last call, dated by the time at which the log was last written. */
  found(writtenAt: Instant, now: Instant): DatedFact[];
  /** Another log begins; null if the day of its first line is not known. */
  begin(firstDayMs: number | null): void;
  /** Like `found`, for a rotated log. */
  foundAside(writtenAt: Instant, zoneMs: number | null): DatedFact[];
  /** `zoneMs` is how far the log's zone is ahead of UTC; null for this machine's zone. */
  readonly lastLine: { readonly at: Instant | null; readonly zoneMs: number | null };
}

/** A crash report is no longer expected after this long without a line, ms. */
const reportWithinMs = 10 * secondMs;

/** The full class name of a mod loader's exception. */
const loaderClass = /^(?:Caused by: )?((?:net\.minecraftforge|net\.neoforged|cpw\.mods)\.[\w.$]+)/;
/** Exception names that mean that the server never ran, and did not crash. */
const loadingWords = /Loading|MissingMods|WrongMinecraftVersion|DuplicateMods|FatalStartup/;
const longestMessage = 250;

function isLoaderException(thrown: string): boolean {
  const name = loaderClass.exec(thrown)?.[1] ?? "";
  return loadingWords.test(name) && /(?:Exception|Error)$/.test(name);
}

function messageOf(thrown: string): string | null {
  const name = /(?:Exception|Error): /.exec(thrown);
  const message = name === null ? "" : thrown.slice(name.index + name[0].length);
  if (message === "" || message.length > longestMessage) return null;
  return message.startsWith("Loading errors encountered") ? null : message;
}

/** Null if the mod loader is not the cause. */
function loaderFailure(thrown: string | null, report: string | null): string | null {
  const isOne = isLoaderException(thrown ?? "") || (report?.endsWith("-fml.txt") ?? false);
  if (!isOne) return null;
  const message = messageOf(thrown ?? "");
  return message === null ? modErrors : `${modErrors}: ${message}`;
}

interface Begun extends Found {
  readonly thread: string;
}

/** Reads facts from lines. A crash has several: the exception before its report, the description after it. */
class FactReader implements LogReader {
  readonly #names = oddNames();
  #stampOf = dayCounter();
  #zoneMs: number | null = null;
  #last: Stamp | null = null;
  #before: Stamp | null = null;
  /** The next stamped line is the first since the last reading. */
  #isFirst = true;
  /** When the last line of the last reading was written. */
  #lastAt: Instant | null = null;
  #found: Found[] = [];
  /** The kind of raw lines that may follow the last stamped line; before the first one, a console's. */
  #follows: Follows = "console";
  /** The exception before a crash report; null if no report is expected. */
  #cause: string | null = null;
  #isCauseNext = false;
  /** A crash report has begun, and its description is still to come. */
  #isReport = false;
  /** An end of the server that later lines may explain. */
  #begun: Begun | null = null;

  take(line: string): void {
    const parsed = parseLine(line);
    if (!parsed) return this.#takeRaw(line);
    this.#before = this.#isFirst ? null : this.#last;
    this.#isFirst = false;
    this.#last = this.#stampOf(parsed);
    this.#follows = followsOf(parsed);
    this.#names.introduces(parsed.message);
    const fact = factOf(parsed);
    if (this.#isElsewhere(parsed, fact)) this.#begun = null;
    if (!fact) {
      if (this.#follows === "trace") this.#isCauseNext = false;
      return;
    }
    this.#isCauseNext = false;
    if (!this.#names.begins(parsed.message)) this.#note(fact, parsed.message, parsed.thread);
  }

  found(writtenAt: Instant, now: Instant): DatedFact[] {
    const dated = this.#last ? datedBy(this.#last, writtenAt) : null;
    if (dated) this.#zoneMs = dated.zoneMs;
    return this.#collect(dated?.date ?? (() => writtenAt), writtenAt, now);
  }

  foundAside(writtenAt: Instant, zoneMs: number | null): DatedFact[] {
    return this.#collect(datedIn(zoneMs, writtenAt), writtenAt, writtenAt);
  }

  begin(firstDayMs: number | null): void {
    this.#stampOf = dayCounter(firstDayMs);
    this.#last = null;
    this.#isFirst = true;
    this.#follows = "console";
  }

  get lastLine(): LogReader["lastLine"] {
    return { at: this.#lastAt, zoneMs: this.#zoneMs };
  }

  #foundHere(fact: LogFact, line: string): Found {
    return { fact, stamp: this.#last, before: this.#before, line };
  }

  #tell(fact: LogFact, line: string): void {
    this.#found.push(this.#foundHere(fact, line));
  }

  #note(fact: LogFact, line: string, thread: string): void {
    switch (fact.is) {
      case "threw":
        this.#isCauseNext = true;
        this.#cause = null;
        return;
      case "reporting": {
        const crash: LogFact = { is: "crash", why: this.#cause, report: null };
        this.#begun ??= { ...this.#foundHere(crash, line), thread };
        return;
      }
      case "failed":
        if (fact.isFinal) return this.#end(fact, line);
        if (this.#begun?.fact.is !== "failed") this.#begun = { ...this.#foundHere(fact, line), thread };
        return;
      case "crash":
        return this.#end(fact, line);
      case "ready":
        this.#begun = null;
        break;
      case "starting":
      case "stopping":
        this.#stopWaiting();
    }
    this.#tell(fact, line);
  }

  #end(fact: LogFact & { is: "crash" | "failed" }, line: string): void {
    const report = fact.report ?? null;
    const awaited = this.#begun?.fact.is === "failed" ? this.#begun.fact.why : null;
    const byLoader = awaited ?? loaderFailure(fact.why ?? this.#cause, report);
    if (fact.is === "failed" || byLoader !== null)
      this.#tell({ is: "failed", why: byLoader ?? fact.why ?? "", isFinal: true, report }, line);
    else this.#tell({ is: "crash", why: fact.why ?? this.#cause, report }, line);
    this.#cause = null;
    this.#begun = null;
  }

  /** The end counts as it is: no further lines belong to it. */
  #stopWaiting(): void {
    if (this.#begun) this.#found.push(this.#begun);
    this.#begun = null;
  }

  /** The thread that announced a crash report goes on (as after `perf`), so there was no crash. */
  #isElsewhere({ thread, logger }: LogLine, fact: LogFact | null): boolean {
    const isWaiting = this.#begun?.fact.is === "crash" && this.#begun.thread === thread;
    return isWaiting && fact === null && !/^STD(?:OUT|ERR)\b/.test(logger ?? "");
  }

  #takeRaw(line: string): void {
    const fact = factOfRaw(line);
    if (!fact) return;
    const isAllowed = this.#follows !== "none";
    const isCause = this.#isCauseNext;
    switch (fact.is) {
      case "report":
        this.#isReport = isAllowed;
        return;
      case "description":
        // `perf` writes this form too.
        if (this.#isReport && fact.text !== "Level dump")
          this.#end({ is: "crash", why: fact.text, report: null }, line);
        this.#isReport = false;
        return;
      case "thrown":
        if (isCause) this.#cause = fact.text;
        this.#isCauseNext = false;
        return;
      default:
        if (!isAllowed && !isCause) return;
        if (isCause) this.#cause = line.trim().slice(0, 300);
        this.#isCauseNext = false;
        this.#note(fact, line, "");
    }
  }

  #collect(dated: (stamp: Stamp) => Instant, writtenAt: Instant, now: Instant): DatedFact[] {
    const at = (stamp: Stamp | null): Instant => (stamp ? dated(stamp) : writtenAt);
    if (this.#begun && now - at(this.#begun.stamp) > reportWithinMs) this.#stopWaiting();
    const all = this.#found.map(({ fact, stamp, before, line }) => ({
      fact,
      at: at(stamp),
      lineBeforeAt: before ? dated(before) : this.#lastAt,
      line,
    }));
    this.#found = [];
    if (this.#last) this.#lastAt = dated(this.#last);
    this.#isFirst = true;
    return all;
  }
}

export const logReader = (): LogReader => new FactReader();
