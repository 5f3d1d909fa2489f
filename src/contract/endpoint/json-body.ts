import { Refusal } from "../../core/errors.ts";
import { parsedJson } from "../../core/parsed-json.ts";
import type { JsonLimits } from "../limits/body-limits.ts";
import { excessIn, maxDepth, maxMembers, type JsonExcess } from "./json-excess.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Refuses with `invalid_json` (not JSON in UTF-8), `too_large` (too many values or names) or
 * `validation_error` (too deep, too wide, or a number that no double can hold).
 */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const value = parsed(bytes, limits);
  refuseMonsters(value);
  return value;
}

/** Parses a body that must be an object (`invalid_body` otherwise). Does not check its depth. */
export function parseJsonObject(bytes: Uint8Array, limits: JsonLimits): Record<string, unknown> {
  const value = parsed(bytes, limits);
  if (!isJsonObject(value))
    throw new Refusal("invalid_body", "The body is JSON, but not an object. Send one JSON object.");
  return value;
}

/** Parses a body that must be one object or an array (`invalid_body` otherwise). Does not check its depth. */
export function parseJsonList(bytes: Uint8Array, limits: JsonLimits): unknown {
  const value = parsed(bytes, limits);
  if (!isJsonObject(value) && !Array.isArray(value))
    throw new Refusal("invalid_body", "The body is JSON, but neither an object nor an array of objects.");
  return value;
}

/** Counts values, names and members before parsing, so that an excess costs no time or memory. */
function parsed(bytes: Uint8Array, limits: JsonLimits): unknown {
  const excess = excessIn(bytes, limits);
  if (excess !== null) throw excessRefusal(excess, limits);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal("invalid_json", "The body is not JSON in UTF-8. Send one JSON object.");
  }
}

function excessRefusal(excess: JsonExcess, limits: JsonLimits): Refusal {
  if (excess === "members") return tooWide();
  const limit = limits[excess];
  const what = excess === "values" ? "values" : "different names of members";
  return new Refusal("too_large", `The body has more than ${limit} ${what}. Send fewer at once.`, { limit });
}

const tooWide = (): Refusal =>
  new Refusal("validation_error", `The body has an object with more than ${maxMembers} members. Send fewer.`);

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null if the text is not JSON, or not an object. */
export function objectIn(text: string): Record<string, unknown> | null {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : null;
}

/**
 * Refuses JSON that is too deep, too wide or holds a number that no double can. Not recursive, because a body
 * of 100,000 brackets must not end the process.
 */
export function refuseMonsters(root: unknown): void {
  let level: object[] = [];
  collectContainers([root], level);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth)
      throw new Refusal(
        "validation_error",
        `The body is nested deeper than ${maxDepth} levels. Send a flatter one.`,
      );
    const next: object[] = [];
    for (const container of level) collectContainers(container, next);
    level = next;
  }
}

function collectContainers(container: object, into: object[]): void {
  const children: unknown[] = Array.isArray(container) ? container : Object.values(container);
  if (!Array.isArray(container) && children.length > maxMembers) throw tooWide();
  for (const child of children) {
    if (typeof child === "object" && child !== null) into.push(child);
    else if (typeof child === "number" && !Number.isFinite(child))
      throw new Refusal(
        "validation_error",
        "The body has a number that is too large to store. Send a smaller one.",
      );
  }
}
