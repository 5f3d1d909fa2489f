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
