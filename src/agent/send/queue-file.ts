import { parsedJson } from "../../core/parsed-json.ts";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { nullIfAbsent } from "../../core/failure-code.ts";
import type { Instant } from "../../core/time.ts";
import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import type { Steady } from "./steady.ts";

/** An entry for the service, with the time it was made by the machine's clock and by a steady one. */
export type Entry = { readonly at: Instant; readonly steady?: Steady } & (
  | { readonly sample: SampleBody }
  | { readonly event: EventBody }
);

/** Entries given up: the queue was full, or they were too old, damaged or refused. */
export const QueueGap = z.object({
  samples: z.int().min(0),
  events: z.int().min(0),
  /** `damaged` are lines that are no entries, `unread_files` files that never could be read. */
  damaged: z.int().min(0),
  unread_files: z.int().min(0),
  from: z.number(),
  to: z.number(),
});
export type QueueGap = z.output<typeof QueueGap>;

const isSample = (entry: Entry): boolean => "sample" in entry;

/** Null for no entries and no damaged lines. Damaged lines alone are dated `writtenAt`. */
export function gapOf(entries: readonly Entry[], damaged = 0, writtenAt: Instant = 0): QueueGap | null {
  if (entries.length + damaged === 0) return null;
  const samples = entries.filter(isSample).length;
  const times = entries.map(({ at }) => at);
  const [from, to] = times.length === 0 ? [writtenAt, writtenAt] : [Math.min(...times), Math.max(...times)];
  return { samples, events: entries.length - samples, damaged, unread_files: 0, from, to };
}

export const widened = (one: QueueGap | null, other: QueueGap): QueueGap =>
  one === null
    ? other
    : {
        samples: one.samples + other.samples,
        events: one.events + other.events,
        damaged: one.damaged + other.damaged,
        unread_files: one.unread_files + other.unread_files,
        from: Math.min(one.from, other.from),
        to: Math.max(one.to, other.to),
      };

export interface QueueFile {
  readonly entries: readonly Entry[];
  readonly damaged: number;
  readonly bytes: number;
}

/** Null if there is no file. A last line without an end is ignored, because its append never resolved. */
export async function readQueueFile(path: string): Promise<QueueFile | null> {
  const text = await readFile(path, "utf8").catch(nullIfAbsent);
  if (text === null) return null;
  const lines = text.split("\n").slice(0, -1);
  const entries = lines.flatMap((line) => entryIn(line) ?? []);
  return { entries, damaged: lines.length - entries.length, bytes: Buffer.byteLength(text) };
}

function entryIn(line: string): Entry | null {
  const value = parsedJson(line);
  const known = typeof value === "object" && value !== null && "at" in value;
  return known && typeof value.at === "number" && ("sample" in value || "event" in value)
    ? (value as Entry)
    : null;
}
