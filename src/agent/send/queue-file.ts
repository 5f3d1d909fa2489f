import { readFile } from "node:fs/promises";
import type { Instant } from "../../core/time.ts";
import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";

/** One thing that is to reach the service, and when it was known. */
export type Entry =
  | { readonly at: Instant; readonly sample: SampleBody }
  | { readonly at: Instant; readonly event: EventBody };

/** The entries that were given up because the queue was full, or because they were too old or refused. */
export interface QueueGap {
  readonly samples: number;
  readonly events: number;
  readonly from: Instant;
  readonly to: Instant;
}

const isSample = (entry: Entry): boolean => "sample" in entry;

/** The gap that these entries leave; null for none. */
export function gapOf(entries: readonly Entry[]): QueueGap | null {
  if (entries.length === 0) return null;
  const samples = entries.filter(isSample).length;
  const times = entries.map(({ at }) => at).toSorted((a, b) => a - b);
  return { samples, events: entries.length - samples, from: times[0] ?? 0, to: times.at(-1) ?? 0 };
}

/** Every whole line of a file that is an entry. */
export async function readEntries(path: string): Promise<{ entries: Entry[]; bytes: number }> {
  const text = await readFile(path, "utf8").catch(() => "");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const entries = whole.split("\n").flatMap((line) => entryIn(line) ?? []);
  return { entries, bytes: Buffer.byteLength(text) };
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

export async function readGap(path: string): Promise<QueueGap | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as QueueGap;
  } catch {
    return null;
  }
}
