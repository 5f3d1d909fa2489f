import { dayMs, hourMs, minuteMs, secondMs } from "../../core/time.ts";

/** The time of a line by its server's wall clock; most servers leave the date out. */
export interface Stamp {
  /** Midnights since the first line that was read. */
  readonly day: number;
  /** Since midnight, ms. */
  readonly clockMs: number;
  /** The date as if it were UTC, ms; null if the line has none. */
  readonly dateMs: number | null;
}

export interface LogLine {
  readonly clockMs: number;
  readonly dateMs: number | null;
  /** Empty if the server does not write it. */
  readonly thread: string;
  readonly level: Level;
  readonly logger: string | null;
  readonly message: string;
}

/** A word of another language counts as `info`. */
export type Level = "debug" | "info" | "warning" | "error";

const levels: Readonly<Record<string, Level>> = {
  TRACE: "debug",
  DEBUG: "debug",
  FINE: "debug",
  WARN: "warning",
  WARNING: "warning",
  ERROR: "error",
  FATAL: "error",
  SEVERE: "error",
};

export const levelOf = (word: string): Level => levels[word] ?? "info";

/** The name for lines in the form that only the Bedrock Dedicated Server writes; they name no thread. */
export const bedrockLogger = "bedrock";
/** It writes this in front of its first lines if no file of a log is set. */
const noFile = "NO LOG FILE! - ";

/** The rest of a longer line is ignored, characters. */
const longestLine = 2000;

/** English names, whole: another language's `mar` may be November, and `marrask.` is. */
const months = new Map(
  ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].map((name, index) => [
    name,
    index,
  ]),
);

/**
 * `[12:34:56`, Forge's `[05Jul2022 12:34:56.789`, `2019-02-08 12:34:56` of old servers, `[2019-02-08 12:34:56:789` of the
 * Bedrock Dedicated Server, and `2019-02-08 [12:34:56.789` of PocketMine. Forge's month is in
 * the language of its JVM, with blanks, dots and digits in it (`[057월2026 `), so in brackets anything may
 * stand before the time.
 */
const head =
  /^(?:\[?(\d{4})[-/](\d{2})[-/](\d{2}) \[?|\[(?:(\d{2})([^[\]]{1,60}?)(\d{4}) |[^[\]:\d][^[\]:]{0,60} )?)?(\d{2}):(\d{2}):(\d{2})(?:([.,:])(\d{3}))?/;
// eslint-disable-next-line no-control-regex
const decoration = /\u001b\[[0-9;]{0,20}m|§[0-9a-fk-orx]/gi;

/** Null for a line that belongs to the one before, as in a stack trace. */
export function parseLine(raw: string): LogLine | null {
  const line = raw.startsWith(noFile) ? raw.slice(noFile.length) : raw;
  const first = line.charCodeAt(0);
  // `[`, a digit, or the escape of a colour: most lines of a stack trace end here.
  if (first !== 0x5b && first !== 0x1b && !(first >= 0x30 && first <= 0x39)) return null;
  const cut = line.length > longestLine ? line.slice(0, longestLine) : line;
  const text = cut.includes("\u001b") || cut.includes("§") ? cut.replace(decoration, "") : cut;
  const clockMs = clockOf(text);
  if (clockMs !== null) {
    const behind = behindHead(text.slice(clockLength));
    return behind && { clockMs, dateMs: null, ...behind };
  }
  const found = head.exec(text);
  return found && datedLine(text, found);
}

const clockLength = "[12:34:56".length;

/** The time of a line that begins as most do, `[12:34:56]`, since midnight in ms: no pattern is needed for these. */
function clockOf(text: string): number | null {
  const isForm =
    text.charCodeAt(0) === 0x5b &&
    text.charCodeAt(3) === 0x3a &&
    text.charCodeAt(6) === 0x3a &&
    text.charCodeAt(clockLength) === 0x5d;
  if (!isForm) return null;
  const [hour, minute, second] = [twoDigits(text, 1), twoDigits(text, 4), twoDigits(text, 7)];
  return hour < 24 && minute < 60 && second < 60
    ? hour * hourMs + minute * minuteMs + second * secondMs
    : null;
}

/** NaN if they are no digits. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 0x30, text.charCodeAt(at + 1) - 0x30];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function datedLine(text: string, found: RegExpExecArray): LogLine | null {
  const [all, year2, month2, day2, day1, month1, year1, hour, minute, second, point, fraction = "0"] = found;
  const clockMs =
    Number(hour) * hourMs + Number(minute) * minuteMs + Number(second) * secondMs + Number(fraction);
  if (clockMs >= dayMs || Number(minute) > 59 || Number(second) > 59) return null;
  const behind = behindHead(text.slice(all.length));
  if (!behind) return null;
  const month = month2 === undefined ? months.get(month1 ?? "") : Number(month2) - 1;
  const logger = point === ":" && behind.thread === "" ? bedrockLogger : behind.logger;
  return { clockMs, dateMs: dateOf(year1 ?? year2, month, day1 ?? day2), ...behind, logger };
}

/** No server is older; the calendars of some countries count other years. */
const [firstYear, lastYear] = [2009, 2200] as const;

/** Null for a date that is not understood: the line counts as one without a date. */
function dateOf(yearText: string | undefined, month: number | undefined, day: string | undefined) {
  const year = Number(yearText);
  if (month === undefined || !(year >= firstYear && year <= lastYear)) return null;
  const dateMs = Date.UTC(year, month, Number(day));
  return Number.isNaN(dateMs) ? null : dateMs;
}

type Head = Pick<LogLine, "thread" | "level" | "logger" | "message">;

/** What follows the time: `] [thread/LEVEL] [logger]: text`, ` LEVEL]: text`, or ` [LEVEL] text`. */
function behindHead(rest: string): Head | null {
  const isClosed = rest.startsWith("]");
  if (!isClosed && !rest.startsWith(" [")) {
    const end = rest.indexOf("]");
    if (end < 0 || end > 12) return null;
    const at = end + (rest.startsWith(":", end + 1) ? 2 : 1);
    return { thread: "", level: levelOf(rest.slice(0, end).trim()), logger: null, message: text(rest, at) };
  }
  const from = isClosed ? 1 : 0;
  const end = rest.indexOf("]", from + 2);
  if (!rest.startsWith(" [", from) || end < 0) return null;
  const inside = rest.slice(from + 2, end);
  const slash = inside.lastIndexOf("/");
  const { logger, at } = loggerBehind(rest, end + 1, isClosed);
  return {
    thread: inside.slice(0, Math.max(0, slash)),
    level: levelOf(inside.slice(slash + 1)),
    logger,
    message: text(rest, at),
  };
}

const text = (rest: string, at: number): string => rest.slice(at).trim();

/** Forge and its forks name the logger as `[logger]:`, Fabric in development as `(logger)`. */
function loggerBehind(
  rest: string,
  at: number,
  isClosed: boolean,
): { readonly logger: string | null; readonly at: number } {
  if (rest.startsWith(":", at)) return { logger: null, at: at + 1 };
  if (isClosed && rest.startsWith(" [", at)) {
    const end = rest.indexOf("]:", at);
    if (end > 0) return { logger: rest.slice(at + 2, end), at: end + 2 };
  }
  if (rest.startsWith(" (", at)) {
    const end = rest.indexOf(") ", at);
    if (end > 0 && end - at < 80) return { logger: rest.slice(at + 2, end), at: end + 1 };
  }
  return { logger: null, at };
}

/** A smaller step back is no midnight: the clock was set, or lines of two threads changed places, ms. */
const notMidnightMs = 2 * hourMs;

/** In some languages an English month's name is that of another month: the day tells, the month does not. */
export const isMisnamed = (dateMs: number, expectedMs: number): boolean =>
  Math.abs(dateMs - expectedMs) > 2 * dayMs &&
  new Date(dateMs).getUTCDate() === new Date(expectedMs).getUTCDate();

/** Counts midnights over lines that mostly have no date; `firstDayMs` is the date of the first, if known. */
export function dayCounter(firstDayMs: number | null = null): (line: LogLine) => Stamp {
  let day = 0;
  let lastMs = 0;
  return ({ clockMs, dateMs }) => {
    if (clockMs < lastMs - notMidnightMs) day += 1;
    if (clockMs > lastMs || clockMs < lastMs - notMidnightMs) lastMs = clockMs;
    const countedMs = firstDayMs === null ? null : firstDayMs + day * dayMs;
    if (dateMs === null || countedMs === null) return { day, clockMs, dateMs: dateMs ?? countedMs };
    return { day, clockMs, dateMs: isMisnamed(dateMs, countedMs) ? countedMs : dateMs };
  };
}
