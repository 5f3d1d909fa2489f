import { Refusal } from "../core/errors.ts";
import type { FileIntake } from "./endpoint.ts";
import { gunzip, isGzip, refuseExpansion } from "./gunzip.ts";
import { parseJsonObject, refuseMonsters } from "./json-body.ts";

/** So many of a file's first bytes tell whether it is text. */
const headBytes = 512;

/**
 * What a file says that a person chose: JSON of ours, or a file of another program, told apart by its first bytes, for
 * browsers know no type for these. Throws Refusal for what is neither.
 */
export function readSentFile(sent: Uint8Array, { limit, readers, inspect }: FileIntake): unknown {
  const bytes = isGzip(sent) ? gunzip(sent, limit) : sent;
  inspect?.(bytes);
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1");
  if (/^\s*\{/.test(head)) {
    refuseExpansion(sent, bytes, limit);
    const value = parseJsonObject(bytes, limit);
    refuseMonsters(value);
    return value;
  }
  const isText = /^[\t\n\r\x20-\x7e]*$/.test(head);
  const type = Object.keys(readers).find((one) => one.startsWith("text/") === isText);
  const reader = type === undefined || head === "" ? undefined : readers[type];
  if (!reader) throw new Refusal("unsupported_media_type", "This file is none of those that are taken here.");
  return reader(bytes);
}
