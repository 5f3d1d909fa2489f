import { secondMs, type Instant } from "../../core/time.ts";
import { datedBy, datedIn } from "./log-clock.ts";
import type { LogFact } from "./log-fact.ts";
import type { LineForm } from "./log-pattern.ts";
import { CauseLines } from "./log-cause.ts";
import { factOf, modErrors } from "./log-facts.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "./log-line.ts";
import { isOwn, oddNames } from "./log-origin.ts";
import { factOfRaw, followsOf, isFrame, type Follows } from "./log-trace.ts";

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
  /** A form of lines beside those of the usual servers. */
  use(form: LineForm): void;
  /** How many lines had a known form. */
  readonly understood: number;
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
const mostErrors = 5;

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

/** Most first words of a failure say no more than the reader's own. */
const namesException = (line: string): boolean => /[\w$](?:Exception|Error)\b/.test(line);

interface Begun extends Found {
  readonly thread: string;
  /** The lines behind a failed start. */
  readonly lines: CauseLines | null;
}

/** Reads facts from lines. A crash has several: the exception before its report, the description after it. */
class FactReader implements LogReader {
  #understood = 0;
  #ownForm: LineForm | null = null;
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
  /** The last stamped line was a warning or an error of the server itself. */
  #isTrouble = false;
  /** No line of this start has said yet that the server is ready. */
  #isStarting = true;
  /** The last errors of this start. */
  #errors: readonly string[] = [];
  /** Counts once a stack frame follows. */
  #loose: LogFact | null = null;
  /** A crash report has begun, and its description is still to come. */
  #isReport = false;
  /** An end of the server that later lines may explain. */
  #begun: Begun | null = null;

  take(line: string): void {
    const parsed = parseLine(line) ?? this.#ownForm?.(line) ?? null;
    if (!parsed) return this.#takeRaw(line);
    this.#understood += 1;
    this.#before = this.#isFirst ? null : this.#last;
    this.#isFirst = false;
    this.#last = this.#stampOf(parsed);
    this.#follows = followsOf(parsed);
    this.#loose = null;
    this.#names.introduces(parsed.message);
    const fact = factOf(parsed);
    if (this.#isElsewhere(parsed, fact)) this.#begun = null;
    this.#isTrouble = this.#isStarting && (parsed.level === "warning" || parsed.level === "error");
    if (this.#isTrouble) this.#takeTrouble(parsed);
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

  use(form: LineForm): void {
    this.#ownForm = form;
  }

  get understood(): number {
    return this.#understood;
  }

  get lastLine(): LogReader["lastLine"] {
    return { at: this.#lastAt, zoneMs: this.#zoneMs };
  }

  #takeTrouble(line: LogLine): void {
    this.#isTrouble = isOwn(line);
    if (!this.#isTrouble) return;
    const { level, message } = line;
    this.#begun?.lines?.take(message);
    if (level === "error") this.#errors = [...this.#errors.slice(1 - mostErrors), message.slice(0, 300)];
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
        this.#begun ??= { ...this.#foundHere(crash, line), thread, lines: null };
        return;
      }
      case "failed":
        if (this.#begun?.fact.is !== "failed") {
          const lines = new CauseLines(fact.why, this.#errors);
          if (namesException(line)) lines.take(line);
          this.#begun = { ...this.#foundHere(fact, line), thread, lines };
          this.#isStarting = true;
        }
        return;
      case "crash":
        return this.#end(fact, line);
      case "ready":
        this.#begun = null;
        this.#errors = [];
        this.#isStarting = false;
        break;
      case "starting":
      case "stopping":
        this.#stopWaiting();
        this.#errors = [];
        this.#isStarting = fact.is === "starting";
    }
    this.#tell(fact, line);
  }

  #end(fact: LogFact & { is: "crash" }, line: string): void {
    const { report } = fact;
    const awaited = this.#begun?.lines?.cause ?? null;
    const byLoader = loaderFailure(fact.why ?? this.#cause, report);
    if (awaited) this.#tell({ is: "failed", ...awaited, report }, line);
    else if (byLoader !== null) this.#tell({ is: "failed", why: byLoader, report }, line);
    else this.#tell({ is: "crash", why: fact.why ?? this.#cause, report }, line);
    this.#cause = null;
    this.#begun = null;
  }

  /** The end counts as it is: no further lines belong to it. */
  #stopWaiting(): void {
    const begun = this.#begun;
    this.#begun = null;
    if (!begun) return;
    this.#found.push(begun.lines ? { ...begun, fact: { is: "failed", ...begun.lines.cause } } : begun);
  }

  /** The thread that announced a crash report goes on (as after `perf`), so there was no crash. */
  #isElsewhere({ thread, logger }: LogLine, fact: LogFact | null): boolean {
    const isWaiting = this.#begun?.fact.is === "crash" && this.#begun.thread === thread;
    return isWaiting && fact === null && !/^STD(?:OUT|ERR)\b/.test(logger ?? "");
  }

  #takeRaw(line: string): void {
    if (this.#loose !== null && isFrame(line)) this.#note(this.#loose, line, "");
    this.#loose = null;
    if (this.#isTrouble || this.#follows !== "none") this.#begun?.lines?.take(line);
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
        if (!isAllowed && !isCause) {
          if (fact.is === "out_of_memory") this.#loose = fact;
          return;
        }
        if (isCause) this.#cause = line.trim().slice(0, 2000);
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
