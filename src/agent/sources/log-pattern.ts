import { hourMs, minuteMs, secondMs } from "../../core/time.ts";
import { levelOf, type LogLine } from "./log-line.ts";

/** Reads a line in the form of a server's own log4j2.xml; null for a line that belongs to the one before. */
export type LineForm = (line: string) => LogLine | null;

/** A file of settings is a few KB, characters. */
const longestConfig = 256 * 1024;
const mostPatterns = 20;
const longestPattern = 1000;

const fileAppenders = new Set(["RollingRandomAccessFile", "RollingFile", "RandomAccessFile", "File"]);
const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? "");

/** Empty if there is no such attribute. */
function attributeIn(tag: string, name: string): string {
  const at = tag.indexOf(` ${name}="`);
  const from = at + name.length + 3;
  return at < 0 ? "" : tag.slice(from, Math.max(from, tag.indexOf('"', from)));
}

function withoutComments(text: string): string {
  const [first = "", ...others] = text.split("<!--");
  return first + others.map((part) => part.slice(part.indexOf("-->") + 3 || part.length)).join("");
}

/** The patterns of the appenders that write this file. */
export function patternsFor(config: string, logName: string): string[] {
  const found = new Set<string>();
  let appender: string | null = null;
  for (const piece of withoutComments(config.slice(0, longestConfig)).split("<").slice(1)) {
    const tag = piece.replaceAll(/\s/g, " ");
    const name = /^\/?[A-Za-z]{1,60}/.exec(tag)?.[0] ?? "";
    if (fileAppenders.has(name) && attributeIn(tag, "fileName").endsWith(logName)) appender = name;
    else if (name === `/${appender}`) appender = null;
    if (appender === null) continue;
    const text = name.toLowerCase() === "pattern" ? tag.slice(tag.indexOf(">") + 1).trim() : "";
    for (const pattern of [attributeIn(tag, "pattern"), attributeIn(tag, "defaultPattern"), text])
      if (pattern !== "" && pattern.length <= longestPattern) found.add(unescaped(pattern));
  }
  return [...found].slice(0, mostPatterns);
}

/** A part of a line: given text, digits or letters of a known kind, what stands before the next text, or the rest. */
type Part =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "digits"; readonly name: string; readonly count: number }
  | { readonly is: "level" }
  | { readonly is: "until" | "rest"; readonly name: string };
type Form = readonly Part[];

/** Letters of a date's pattern that are read; others, such as the name of a month, are passed over. */
const dateLetters: Readonly<Record<string, readonly [name: string, count: number]>> = {
  yyyy: ["year", 4],
  uuuu: ["year", 4],
  MM: ["month", 2],
  dd: ["day", 2],
  HH: ["hour", 2],
  mm: ["minute", 2],
  ss: ["second", 2],
  SSS: ["fraction", 3],
};
const namedDates: Readonly<Record<string, string>> = {
  "": "yyyy-MM-dd HH:mm:ss,SSS",
  ABSOLUTE: "HH:mm:ss,SSS",
  DEFAULT: "yyyy-MM-dd HH:mm:ss,SSS",
  ISO8601: "yyyy-MM-dd'T'HH:mm:ss,SSS",
  DATE: "dd MMM yyyy HH:mm:ss,SSS",
};

const datePiece = /'([^']*)'|yyyy|uuuu|MM(?!M)|dd|HH|mm|ss|SSS(?!S)|[A-Za-z]+|[^A-Za-z']+/g;

function dateForm(option: string): Part[] {
  const pattern = namedDates[option] ?? option;
  return [...pattern.matchAll(datePiece)].map(([piece, quoted]): Part => {
    const known = dateLetters[piece];
    if (known) return { is: "digits", name: known[0], count: known[1] };
    if (quoted !== undefined) return { is: "text", text: quoted };
    return /^[A-Za-z]/.test(piece) ? { is: "until", name: "" } : { is: "text", text: piece };
  });
}

const fieldOf: Readonly<Record<string, string>> = {
  t: "thread",
  tn: "thread",
  thread: "thread",
  threadName: "thread",
  c: "logger",
  logger: "logger",
};
const messages = new Set(["m", "msg", "message", "minecraftFormatting"]);
const levelNames = new Set(["p", "level"]);
/** Conversions around another pattern. */
const wrappers = new Set(["highlight", "highlightError", "style", "replace"]);
const atTheEnd = new Set(["n", "ex", "xEx", "xThrowable", "throwable", "exception", "rEx"]);
const conversion = /%-?\d{0,3}(?:\.-?\d{1,3})?([A-Za-z]+)/y;

/** The content of the braces at `from`, which may hold others. */
function braces(pattern: string, from: number): { readonly text: string; readonly end: number } | null {
  if (pattern[from] !== "{") return null;
  let depth = 0;
  for (let at = from; at < pattern.length; at += 1) {
    if (pattern[at] === "{") depth += 1;
    if (pattern[at] === "}") depth -= 1;
    if (depth === 0) return { text: pattern.slice(from + 1, at), end: at + 1 };
  }
  return null;
}

const mostForms = 8;

/** Each way in which a line of this PatternLayout may look: a part that may be empty is there or not. */
function formsOf(pattern: string): Form[] {
  let forms: Form[] = [[]];
  const add = (...more: readonly Form[]): void => {
    forms = forms.flatMap((form) => more.map((one) => form.concat(one))).slice(0, mostForms);
  };
  for (let at = 0; at < pattern.length;) {
    conversion.lastIndex = at;
    const found = conversion.exec(pattern);
    if (!found) {
      add([{ is: "text", text: pattern[at] ?? "" }]);
      at += 1;
      continue;
    }
    at = conversion.lastIndex;
    const [, name = ""] = found;
    const option = braces(pattern, at)?.text ?? "";
    for (let next = braces(pattern, at); next; next = braces(pattern, at)) at = next.end;
    if (name === "notEmpty") add([], ...formsOf(option));
    else if (wrappers.has(name)) add(...formsOf(option));
    else add(partsOf(name, option));
  }
  return forms;
}

function partsOf(name: string, option: string): Form {
  if (name === "d" || name === "date") return dateForm(option);
  if (messages.has(name)) return [{ is: "rest", name: "message" }];
  if (levelNames.has(name)) return [{ is: "level" }];
  return atTheEnd.has(name) ? [] : [{ is: "until", name: fieldOf[name] ?? "" }];
}

/** Joins neighbouring texts; null for a form that dates no line, has no message, or whose parts cannot be told apart. */
function usable(form: Form): Form | null {
  const end = form.findIndex(({ is }) => is === "rest");
  if (end < 0) return null;
  const joined: Part[] = [];
  for (const part of form.slice(0, end + 1)) {
    const last = joined.at(-1);
    if (part.is === "text" && last?.is === "text")
      joined[joined.length - 1] = { is: "text", text: last.text + part.text };
    else if (last?.is === "until" && part.is !== "text") return null;
    else joined.push(part);
  }
  const names = new Set(joined.flatMap((part) => (part.is === "digits" ? [part.name] : [])));
  return names.has("hour") && names.has("minute") ? joined : null;
}

type Fields = Map<string, string>;

/** Null for a line of another form. Never looks back, so that no line costs more than its length. */
function fieldsIn(line: string, form: Form): Fields | null {
  const fields: Fields = new Map();
  let at = 0;
  for (const [index, part] of form.entries()) {
    const end = endOf(line, at, part, form[index + 1]);
    if (end === null) return null;
    const text = line.slice(at, end);
    if (part.is === "level") fields.set("level", text.trim());
    else if (part.is !== "text") fields.set(part.name, text);
    at = end;
  }
  return fields;
}

function endOf(line: string, at: number, part: Part, next: Part | undefined): number | null {
  switch (part.is) {
    case "text":
      return line.startsWith(part.text, at) ? at + part.text.length : null;
    case "digits": {
      const end = at + part.count;
      return /^\d{1,4}$/.test(line.slice(at, end)) && end <= line.length ? end : null;
    }
    case "level": {
      const word = /^ {0,5}[A-Z]{3,10}/.exec(line.slice(at, at + 20))?.[0];
      if (word === undefined) return null;
      // Short levels are filled up with blanks.
      const end = at + word.length;
      const blanks = next?.is === "text" ? line.slice(end, end + 10).indexOf(next.text.slice(0, 3)) : 0;
      return end + (line.slice(end, end + blanks).trim() === "" ? Math.max(0, blanks) : 0);
    }
    case "until": {
      const end = next?.is === "text" ? line.indexOf(next.text, at) : -1;
      return end < 0 ? null : end;
    }
    case "rest":
      return line.length;
  }
}

/** The rest of a longer line is ignored, characters. */
const longestLine = 2000;

/** Null for a pattern that dates no line, or has no message. */
export function lineForm(pattern: string): LineForm | null {
  const forms = formsOf(pattern)
    .map(usable)
    .filter((form) => form !== null);
  if (forms.length === 0) return null;
  return (line) => {
    for (const form of forms) {
      const fields = fieldsIn(line.slice(0, longestLine), form);
      if (fields) return lineOf(fields);
    }
    return null;
  };
}

function lineOf(fields: Fields): LogLine {
  const at = (name: string): number => Number(fields.get(name) ?? 0);
  const isDated = fields.has("year") && fields.has("month") && fields.has("day");
  return {
    clockMs: at("hour") * hourMs + at("minute") * minuteMs + at("second") * secondMs + at("fraction"),
    dateMs: isDated ? Date.UTC(at("year"), at("month") - 1, at("day")) : null,
    thread: fields.get("thread") ?? "",
    level: levelOf(fields.get("level") ?? ""),
    logger: fields.has("logger") ? (fields.get("logger") ?? null) : null,
    message: (fields.get("message") ?? "").trim(),
  };
}
