import { secondMs, type Instant } from "../../core/time.ts";
import { datedBy, datedIn } from "./log-clock.ts";
import type { LogFact } from "./log-fact.ts";
import type { LineForm } from "./log-pattern.ts";
import { LogEnding, type FoundFact } from "./log-ending.ts";
import { factOf } from "./log-facts.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "./log-line.ts";
import { withNextLine } from "./log-moderation.ts";
import { isOwn, oddNames } from "./log-origin.ts";
import { factOfRaw, followsOf, isFrame, type Follows } from "./log-trace.ts";

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
const longestCause = 2000;

/** Reads facts from lines. Those of an end of the server are several, which `LogEnding` gathers. */
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
  #found: FoundFact[] = [];
  /** The kind of raw lines that may follow the last stamped line; before the first one, a console's. */
  #follows: Follows = "console";
  readonly #ending = new LogEnding();
  /** The last stamped line was a warning or an error of the server itself. */
  #isTrouble = false;
  /** No line of this start has said yet that the server is ready. */
  #isStarting = true;
  /** Counts once a stack frame follows. */
  #loose: LogFact | null = null;
  /** A crash report has begun, and its description is still to come. */
  #isReport = false;
  /** The thread of the last line, if that was an act of moderation. */
  #actOn: string | null = null;

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
    if (this.#continues(parsed)) return;
    const fact = factOf(parsed);
    this.#ending.pass(parsed, fact, this.#follows === "trace");
    this.#isTrouble =
      this.#isStarting && (parsed.level === "warning" || parsed.level === "error") && isOwn(parsed);
    if (this.#isTrouble) this.#ending.takeTrouble(parsed);
    const isTold = fact !== null && !this.#names.begins(parsed.message);
    this.#actOn = isTold && fact.is === "moderation" ? parsed.thread : null;
    if (isTold) this.#note(fact, parsed.message, parsed.thread);
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

  /** An act of a ban plugin goes on in the next lines of its thread. */
  #continues({ message, thread }: LogLine): boolean {
    const last = this.#found.at(-1);
    const isNext = this.#actOn === thread && last?.fact.is === "moderation";
    const moderation = isNext ? withNextLine(last.fact.moderation, message) : null;
    if (!isNext || moderation === null) return false;
    this.#found.splice(-1, 1, { ...last, fact: { ...last.fact, moderation } });
    return true;
  }

  #foundHere<Fact extends LogFact>(fact: Fact, line: string): FoundFact<Fact> {
    return { fact, stamp: this.#last, before: this.#before, line };
  }

  #note(fact: LogFact, line: string, thread: string): void {
    switch (fact.is) {
      case "threw":
        return this.#ending.expectCause();
      case "crashing":
        return this.#ending.crash(this.#foundHere(fact, line), thread);
      case "failed":
        this.#isStarting = this.#ending.fail(this.#foundHere(fact, line), thread) || this.#isStarting;
        return;
      case "crash":
        this.#found.push(this.#ending.close(this.#foundHere(fact, line)));
        return;
      case "ready":
        this.#ending.forget();
        this.#isStarting = false;
        break;
      case "starting":
      case "stopping":
        this.#settleEnding();
        this.#ending.forget();
        this.#isStarting = fact.is === "starting";
    }
    this.#found.push(this.#foundHere(fact, line));
  }

  /** The end counts as it is: no further lines belong to it. */
  #settleEnding(): void {
    const found = this.#ending.settle();
    if (found) this.#found.push(found);
  }

  #takeRaw(line: string): void {
    if (this.#loose !== null && isFrame(line)) this.#note(this.#loose, line, "");
    this.#loose = null;
    const isAllowed = this.#follows !== "none";
    if (this.#isTrouble || isAllowed) this.#ending.takeLine(line);
    const fact = factOfRaw(line);
    if (!fact) return;
    switch (fact.is) {
      case "report":
        this.#isReport = isAllowed;
        return;
      case "description":
        // `perf` writes this form too.
        if (this.#isReport && fact.text !== "Level dump")
          this.#note({ is: "crashing", why: fact.text, isCertain: true }, line, "");
        this.#isReport = false;
        return;
      case "thrown":
        this.#ending.takeCause(fact.text);
        return;
      default: {
        const isCause = this.#ending.takeCause(line.trim().slice(0, longestCause));
        if (isAllowed || isCause) this.#note(fact, line, "");
        else if (fact.is === "out_of_memory") this.#loose = fact;
      }
    }
  }

  #collect(dated: (stamp: Stamp) => Instant, writtenAt: Instant, now: Instant): DatedFact[] {
    const at = (stamp: Stamp | null): Instant => (stamp ? dated(stamp) : writtenAt);
    const { begunAt } = this.#ending;
    if (begunAt !== undefined && now - at(begunAt) > reportWithinMs) this.#settleEnding();
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
