import type { Instant } from "../../core/time.ts";
import { datedBy } from "./log-clock.ts";
import { factOf, factOfUnstamped, type Fact } from "./log-facts.ts";
import { dayCounter, parseLine, type Stamp } from "./log-line.ts";

/** A fact, when its line says it was, and the words it was told in. */
interface Found {
  readonly fact: Fact;
  readonly stamp: Stamp | null;
  readonly line: string;
}

export interface LogReader {
  /** A line as it stands in the log. Any text is taken. */
  take(line: string): void;
  /** What was found since the last time, dated by when the log was last written. */
  found(writtenAt: Instant): { readonly fact: Fact; readonly at: Instant; readonly line: string }[];
}

/** What a crash says of itself stands around its report: before it the exception, after it the description. */
export function logReader(): LogReader {
  const stampOf = dayCounter();
  let last: Stamp | null = null;
  let found: Found[] = [];
  /** What was thrown, until the crash report that is written for it; null while nobody waits for it. */
  let cause: string | null = null;
  let isCauseNext = false;
  /** A crash report has begun, of which only its description says what it is about. */
  let isReport = false;

  const note = (fact: Fact, line: string): void => {
    if (fact.is === "threw") {
      isCauseNext = true;
      cause = null;
      return;
    }
    const isCrash = fact.is === "crash";
    found.push({ fact: isCrash ? { ...fact, why: fact.why ?? cause } : fact, stamp: last, line });
    if (isCrash) cause = null;
  };

  const takeUnstamped = (line: string): void => {
    const told = factOfUnstamped(line);
    if (!told) return;
    switch (told.is) {
      case "report":
        isReport = true;
        return;
      case "description":
        // The same form is used for what `perf` writes.
        if (isReport && told.text !== "Level dump") note({ is: "crash", why: told.text, report: null }, line);
        isReport = false;
        return;
      case "thrown":
        if (isCauseNext) cause = told.text;
        isCauseNext = false;
        return;
      default:
        if (isCauseNext) cause = line.trim().slice(0, 300);
        isCauseNext = false;
        note(told, line);
    }
  };

  return {
    take(line) {
      const parsed = parseLine(line);
      if (!parsed) return takeUnstamped(line);
      last = stampOf(parsed);
      isCauseNext = false;
      const fact = factOf(parsed);
      if (fact) note(fact, parsed.message);
    },
    found(writtenAt) {
      const dated = last ? datedBy(last, writtenAt) : () => writtenAt;
      const all = found.map(({ fact, stamp, line }) => ({
        fact,
        at: stamp ? dated(stamp) : writtenAt,
        line,
      }));
      found = [];
      return all;
    },
  };
}
