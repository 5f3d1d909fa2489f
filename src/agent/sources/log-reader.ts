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
  let report: number | null = null;

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
    if (told.is === "thrown") {
      if (isCauseNext) cause = told.text;
      isCauseNext = false;
    } else if (told.is === "description") {
      const crash = report === null ? undefined : found[report];
      if (crash?.fact.is === "crash" && report !== null) {
        found[report] = { ...crash, fact: { ...crash.fact, why: crash.fact.why ?? told.text } };
      }
      report = null;
    } else {
      if (told.is === "crash") report = found.length;
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
      report = null;
      return all;
    },
  };
}
