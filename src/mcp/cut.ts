import { isJsonObject } from "../contract/json-body.ts";
import { toWire } from "./wire.ts";

type JsonObject = Record<string, unknown>;

/** Members that break a measurement down further than most questions go. */
const details = ["regions", "worlds_top"];

/** Every object and array of a JSON value, itself included. */
function* containers(value: unknown): Generator<JsonObject | unknown[]> {
  if (!Array.isArray(value) && !isJsonObject(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* containers(member);
}

/** Takes the details out of a JSON value, in place. */
export function dropDetails(root: unknown): void {
  for (const container of containers(root)) {
    if (Array.isArray(container)) continue;
    for (const name of details) delete container[name];
  }
}

/**
 * Takes as many entries off the end of the array that is longest as JSON as make up `excess` characters on
 * average, one at least, in place; answers how many.
 */
export function cutLongestArray(root: unknown, excess: number): number {
  let longest: unknown[] = [];
  let size = 0;
  for (const container of containers(root)) {
    if (!Array.isArray(container) || container.length === 0) continue;
    const { length } = toWire(container);
    if (length > size) [longest, size] = [container, length];
  }
  const entries = Math.ceil((excess / Math.max(1, size)) * longest.length);
  return longest.splice(Math.max(0, longest.length - entries)).length;
}

/** Shortens every text of more than `cap` code points, in place; answers how many of them were whole before. */
export function shortenTexts(root: unknown, cap: number): number {
  let shortened = 0;
  for (const container of containers(root)) {
    if (Array.isArray(container)) continue;
    for (const [name, member] of Object.entries(container)) {
      if (typeof member !== "string") continue;
      const cut = shortenedText(member, cap);
      container[name] = cut;
      if (cut !== member && !cutMark.test(member)) shortened += 1;
    }
  }
  return shortened;
}

const cutMark = /…\[\+(\d+) characters\]$/;

/** The first `cap` code points, no escape cut in two, and how many characters are missing by now. */
function shortenedText(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const before = cutMark.exec(text);
  const points = Array.from(before ? text.slice(0, before.index) : text);
  if (points.length <= cap) return text;
  const head = points.slice(0, cap).join("");
  const escape = head.lastIndexOf("\\u{");
  const end = escape >= 0 && !head.includes("}", escape) ? escape : head.length;
  const missing = points.length - Array.from(head.slice(0, end)).length + Number(before?.[1] ?? 0);
  return `${head.slice(0, end)}…[+${missing} characters]`;
}
