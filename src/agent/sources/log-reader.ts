import { secondMs, type Instant } from "../../core/time.ts";
import { datedBy, datedIn } from "./log-clock.ts";
import type { LogFact } from "./log-fact.ts";
import { factOf, modErrors } from "./log-facts.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "./log-line.ts";
import { oddNames } from "./log-origin.ts";
import { factOfRaw, followsOf, type Follows } from "./log-trace.ts";

/** A fact, the time of its line, and the line itself. */
interface Found {
  readonly fact: LogFact;
  readonly stamp: Stamp | null;
  /** Of the line before; null where that was read earlier. */
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
  /** A line as it stands in the log. Any text is taken. */
  take(line: string): void;
  /** The facts found since the last call, dated by the time the log was last written. */
  found(writtenAt: Instant, now: Instant): DatedFact[];
  /** Another log begins, whose first line is of that day as far as it is known. */
  begin(firstDayMs: number | null): void;
  /** The same as `found` for a log that was put aside. */
  foundAside(writtenAt: Instant, zoneMs: number | null): DatedFact[];
  /** When the last line was written, and how far the log's zone is ahead of UTC (null: this machine's). */
  readonly lastLine: { readonly at: Instant | null; readonly zoneMs: number | null };
}

/** If a server that was about to write a crash report writes nothing for this long, no report is expected any more, ms. */
const reportWithinMs = 10 * secondMs;

/** The class of a mod loader's exception, by its whole name. */
const loaderClass = /^(?:Caused by: )?((?:net\.minecraftforge|net\.neoforged|cpw\.mods)\.[\w.$]+)/;
/** Words in the names of a loader's exceptions that say: the server did not crash, it never ran. */
const loadingWords = /Loading|MissingMods|WrongMinecraftVersion|DuplicateMods|FatalStartup/;
const longestMessage = 250;

function isLoaderException(thrown: string): boolean {
  const name = loaderClass.exec(thrown)?.[1] ?? "";
  return loadingWords.test(name) && /(?:Exception|Error)$/.test(name);
}

/** The message behind an exception's name. */
function messageOf(thrown: string): string | null {
  const name = /(?:Exception|Error): /.exec(thrown);
  const message = name === null ? "" : thrown.slice(name.index + name[0].length);
  if (message === "" || message.length > longestMessage) return null;
  return message.startsWith("Loading errors encountered") ? null : message;
}

/** Why the mods were not loaded, when that is what it is. */
function loaderFailure(thrown: string | null, report: string | null): string | null {
  const isOne = isLoaderException(thrown ?? "") || (report?.endsWith("-fml.txt") ?? false);
  if (!isOne) return null;
  const message = messageOf(thrown ?? "");
  return message === null ? modErrors : `${modErrors}: ${message}`;
}

interface Begun extends Found {
  readonly thread: string;
}

/** Reads facts from lines. A crash stands in several lines: the exception before its report, the description after it. */
class FactReader implements LogReader {
  readonly #names = oddNames();
  #stampOf = dayCounter();
  #zoneMs: number | null = null;
  #last: Stamp | null = null;
  #before: Stamp | null = null;
  /** The next stamped line is the first since the last reading. */
  #isFirst = true;
  /** When the last line of the reading before was written. */
  #lastAt: Instant | null = null;
  #found: Found[] = [];
  /** The kind of raw lines that may follow the last stamped line; before the first one, a console's. */
  #follows: Follows = "console";
  /** The exception before a crash report; null if no report is expected. */
  #cause: string | null = null;
  #isCauseNext = false;
  /** A crash report has begun; its description is still to come. */
  #isReport = false;
  /** An end of the server whose further lines are awaited. */
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

  /** No further lines belong to the end that was begun. */
  #stopWaiting(): void {
    if (this.#begun) this.#found.push(this.#begun);
    this.#begun = null;
  }

  /** The thread that was to write a report does something else: it was for its eyes only, as with `perf`. */
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
        // The same form is used for what `perf` writes.
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
