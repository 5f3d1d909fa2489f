import { secondMs, type Instant } from "../../core/time.ts";
import { datedBy, datedIn } from "./log-clock.ts";
import { factOf, modErrors, type Fact } from "./log-facts.ts";
import { dayCounter, parseLine, type LogLine, type Stamp } from "./log-line.ts";
import { oddNames } from "./log-origin.ts";
import { factOfRaw, followsOf, type Follows } from "./log-trace.ts";

/** A fact, when its line says it was, and the words it was told in. */
interface Found {
  readonly fact: Fact;
  readonly stamp: Stamp | null;
  /** Of the line before; null where that was read earlier. */
  readonly before: Stamp | null;
  readonly line: string;
}

export interface DatedFact {
  readonly fact: Fact;
  readonly at: Instant;
  /** When the line before was written; null where there was none. */
  readonly lineBeforeAt: Instant | null;
  readonly line: string;
}

export interface LogReader {
  /** A line as it stands in the log. Any text is taken. */
  take(line: string): void;
  /** What was found since the last time, dated by when the log was last written. */
  found(writtenAt: Instant, now: Instant): DatedFact[];
  /** Another log begins, whose first line is of that day as far as it is known. */
  begin(firstDayMs: number | null): void;
  /** The same as `found` for a log that was put aside. */
  foundAside(writtenAt: Instant, zoneMs: number | null): DatedFact[];
  /** When the last line was written, and how far the log's zone is ahead of UTC (null: this machine's). */
  readonly lastLine: { readonly at: Instant | null; readonly zoneMs: number | null };
}

/** A server that was about to write a crash report and says no more for so long did not get to it, ms. */
const reportWithinMs = 10 * secondMs;

/** Exceptions of a mod loader: the server did not crash, it never ran. */
const loaderException =
  /^(?:Caused by: )?(?:net\.minecraftforge|net\.neoforged|cpw\.mods)\.[\w.$]*(?:Loading|MissingMods|WrongMinecraftVersion|DuplicateMods|FatalStartup)\w*(?:Exception|Error)\b/;

/** Why the mods were not loaded, when that is what it is. */
function loaderFailure(thrown: string | null, report: string | null): string | null {
  const isOne = loaderException.test(thrown ?? "") || (report?.endsWith("-fml.txt") ?? false);
  if (!isOne) return null;
  const message = /(?:Exception|Error): (?!Loading errors encountered)(.{1,250})$/.exec(thrown ?? "")?.[1];
  return message === undefined ? modErrors : `${modErrors}: ${message}`;
}

/** What a crash says of itself stands around its report: before it the exception, after it the description. */
export function logReader(): LogReader {
  let stampOf = dayCounter();
  let zone: number | null = null;
  const names = oddNames();
  let last: Stamp | null = null;
  let before: Stamp | null = null;
  /** The next stamped line is the first since the last reading. */
  let isFirst = true;
  /** When the last line of the reading before was written. */
  let lastAt: Instant | null = null;
  let found: Found[] = [];
  /** What the last stamped line lets follow; before the first one, whatever the file begins with. */
  let follows: Follows = "console";
  /** What was thrown, until the crash report that is written for it; null while nobody waits for it. */
  let cause: string | null = null;
  let isCauseNext = false;
  /** A crash report has begun, of which only its description says what it is about. */
  let isReport = false;
  /** An end that was begun: the lines that say more of it are awaited. */
  let begun: (Found & { readonly thread: string }) | null = null;

  const tell = (fact: Fact, line: string): void => void found.push({ fact, stamp: last, before, line });

  const end = (fact: Fact & { is: "crash" | "failed" }, line: string): void => {
    const report = fact.report ?? null;
    const awaited = begun?.fact.is === "failed" ? begun.fact.why : null;
    const byLoader = awaited ?? loaderFailure(fact.why ?? cause, report);
    if (fact.is === "failed" || byLoader !== null)
      tell({ is: "failed", why: byLoader ?? fact.why ?? "", isFinal: true, report }, line);
    else tell({ is: "crash", why: fact.why ?? cause, report }, line);
    cause = null;
    begun = null;
  };

  const note = (fact: Fact, line: string, thread: string): void => {
    switch (fact.is) {
      case "threw":
        isCauseNext = true;
        cause = null;
        return;
      case "reporting":
        begun ??= { fact: { is: "crash", why: cause, report: null }, stamp: last, before, line, thread };
        return;
      case "failed":
        if (!fact.isFinal) {
          if (begun?.fact.is !== "failed") begun = { fact, stamp: last, before, line, thread };
          return;
        }
        return end(fact, line);
      case "crash":
        return end(fact, line);
      case "ready":
        begun = null;
        break;
      case "starting":
      case "stopping":
        giveUpWaiting();
    }
    tell(fact, line);
  };

  /** Nothing more comes of the end that was begun. */
  const giveUpWaiting = (): void => {
    if (begun) found.push(begun);
    begun = null;
  };

  const takeRaw = (line: string): void => {
    const told = factOfRaw(line);
    if (!told) return;
    const isAllowed = follows !== "none";
    switch (told.is) {
      case "report":
        isReport = isAllowed;
        return;
      case "description":
        // The same form is used for what `perf` writes.
        if (isReport && told.text !== "Level dump") end({ is: "crash", why: told.text, report: null }, line);
        isReport = false;
        return;
      case "thrown":
        if (isCauseNext) cause = told.text;
        isCauseNext = false;
        return;
      default:
        if (!isAllowed && !isCauseNext) return;
        if (isCauseNext) cause = line.trim().slice(0, 300);
        isCauseNext = false;
        note(told as Fact, line, "");
    }
  };

  /** The thread that was to write a report does something else: it was for its eyes only, as with `perf`. */
  const isElsewhere = ({ thread, logger }: LogLine, fact: Fact | null): boolean =>
    begun?.fact.is === "crash" &&
    fact === null &&
    thread === begun.thread &&
    !/^STD(?:OUT|ERR)\b/.test(logger ?? "");

  const collect = (dated: (stamp: Stamp) => Instant, writtenAt: Instant, now: Instant): DatedFact[] => {
    const at = (stamp: Stamp | null): Instant => (stamp ? dated(stamp) : writtenAt);
    if (begun && now - at(begun.stamp) > reportWithinMs) giveUpWaiting();
    const all = found.map(({ fact, stamp, before: earlier, line }) => ({
      fact,
      at: at(stamp),
      lineBeforeAt: earlier ? dated(earlier) : lastAt,
      line,
    }));
    found = [];
    if (last) lastAt = dated(last);
    isFirst = true;
    return all;
  };

  return {
    take(line) {
      const parsed = parseLine(line);
      if (!parsed) return takeRaw(line);
      before = isFirst ? null : last;
      isFirst = false;
      last = stampOf(parsed);
      follows = followsOf(parsed);
      names.introduces(parsed.message);
      const fact = factOf(parsed);
      if (isElsewhere(parsed, fact)) begun = null;
      if (!fact) {
        if (follows === "trace") isCauseNext = false;
        return;
      }
      isCauseNext = false;
      if (!names.begins(parsed.message)) note(fact, parsed.message, parsed.thread);
    },
    found(writtenAt, now) {
      const dated = last ? datedBy(last, writtenAt) : null;
      if (dated) zone = dated.zoneMs;
      return collect(dated?.date ?? (() => writtenAt), writtenAt, now);
    },
    foundAside: (writtenAt, zoneMs) => collect(datedIn(zoneMs, writtenAt), writtenAt, writtenAt),
    begin(firstDayMs) {
      stampOf = dayCounter(firstDayMs);
      last = null;
      isFirst = true;
      follows = "console";
    },
    get lastLine() {
      return { at: lastAt, zoneMs: zone };
    },
  };
}
