import { isJsonObject } from "../contract/json-body.ts";

type JsonObject = Record<string, unknown>;

/** Members that break a measurement down further than most questions go. */
const details = ["regions", "worlds_top"];

/** Every object and array of a JSON value, itself included. */
function* containers(value: unknown): Generator<JsonObject | unknown[]> {
  if (!Array.isArray(value) && !isJsonObject(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* containers(member);
}

/** Takes the details out of a JSON value, in place; says whether there were any. */
export function dropDetails(root: unknown): boolean {
  let dropped = false;
  for (const container of containers(root)) {
    if (Array.isArray(container)) continue;
    for (const name of details) {
      if (container[name] === undefined || container[name] === null) continue;
      delete container[name];
      dropped = true;
    }
  }
  return dropped;
}

/** Takes away the later half of the array that is longest as JSON, in place; answers how many entries that were. */
export function cutLongestArray(root: unknown): number {
  let longest: unknown[] = [];
  let size = 0;
  for (const container of containers(root)) {
    if (!Array.isArray(container) || container.length === 0) continue;
    const length = JSON.stringify(container).length;
    if (length > size) [longest, size] = [container, length];
  }
  return longest.splice(Math.floor(longest.length / 2)).length;
}

/** Shortens every text of more than `cap` code points, in place; answers how many there were. */
export function shortenTexts(root: unknown, cap: number): number {
  let shortened = 0;
  for (const container of containers(root)) {
    if (Array.isArray(container)) continue;
    for (const [name, member] of Object.entries(container)) {
      const cut = typeof member === "string" ? shortenedText(member, cap) : member;
      if (cut === member) continue;
      container[name] = cut;
      shortened += 1;
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
