import { readFile } from "node:fs/promises";
import { z } from "zod";
import { nullIfAbsent } from "../../core/failure-code.ts";
import type { Instant } from "../../core/time.ts";
import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import type { Steady } from "./steady.ts";

/** One thing that is to reach the service, and when it was known, by the machine's clock and by a steady one. */
export type Entry = { readonly at: Instant; readonly steady?: Steady } & (
  | { readonly sample: SampleBody }
  | { readonly event: EventBody }
);

/** What was given up because the queue was full, or because it was too old, damaged or refused. */
export const QueueGap = z.object({
  samples: z.int().min(0),
  events: z.int().min(0),
  /** Lines that nobody can read any more, or files of the queue that this user never could read. */
  damaged: z.int().min(0),
  unread_files: z.int().min(0),
  from: z.number(),
  to: z.number(),
});
export type QueueGap = z.output<typeof QueueGap>;

const isSample = (entry: Entry): boolean => "sample" in entry;

/** The gap that these entries leave, with so many lines between them that are damaged; null for none. */
export function gapOf(entries: readonly Entry[], damaged = 0, writtenAt: Instant = 0): QueueGap | null {
  if (entries.length + damaged === 0) return null;
  const samples = entries.filter(isSample).length;
  const times = entries.map(({ at }) => at);
  const [from, to] = times.length === 0 ? [writtenAt, writtenAt] : [Math.min(...times), Math.max(...times)];
  return { samples, events: entries.length - samples, damaged, unread_files: 0, from, to };
}

/** Both gaps as one. */
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
  /** Whole lines that are no entries. */
  readonly damaged: number;
  readonly bytes: number;
}

/**
 * Every whole line of a file; null where there is no file. What stands behind the last line end was never promised: its
 * append did not end. Rejects where the file cannot be read, which says nothing about what it holds.
 */
export async function readQueueFile(path: string): Promise<QueueFile | null> {
  const text = await readFile(path, "utf8").catch(nullIfAbsent);
  if (text === null) return null;
  const lines = text.split("\n").slice(0, -1);
  const entries = lines.flatMap((line) => entryIn(line) ?? []);
  return { entries, damaged: lines.length - entries.length, bytes: Buffer.byteLength(text) };
}

function entryIn(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line);
    const known = typeof value === "object" && value !== null && "at" in value;
    return known && typeof value.at === "number" && ("sample" in value || "event" in value)
      ? (value as Entry)
      : null;
  } catch {
    return null;
  }
}
