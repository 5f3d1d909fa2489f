/** Reads figures from the output of a HotSpot JVM's diagnostic commands. */

const unitBytes: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `used 170241K` of most collectors, `109M used` of Shenandoah; not a share (`49% used`). */
const usedFigure = /\bused (\d{1,12})([BKMG])|\b(\d{1,12})([BKMG]) used/;

/** Deeper lines are parts of what is already counted. */
const isInner = (line: string): boolean => line.startsWith("  ");

/** Heap in use, bytes, from `GC.heap_info`, summed over generations; null if it has none. */
export function heapUsedIn(heapInfo: string): number | null {
  return sumOfUsed(heapInfo.split("\n"));
}

function sumOfUsed(lines: readonly string[]): number | null {
  let sum: number | null = null;
  for (const line of lines) {
    if (isInner(line) || line.trimStart().startsWith("Metaspace")) continue;
    const [, number, unit, otherNumber, otherUnit] = usedFigure.exec(line) ?? [];
    const bytes = unitBytes[unit ?? otherUnit ?? ""];
    if (bytes !== undefined) sum = (sum ?? 0) + Number(number ?? otherNumber) * bytes;
  }
  return sum;
}

/** The names of the JVM's log of its collections: `gc` up to Java 24, `heap` since Java 25. */
const collectionLogs = ["heap", "gc"] as const;
export type CollectionLog = (typeof collectionLogs)[number];

/** `VM.events` names its logs when it is asked for one that it does not have, such as `list`. */
export const collectionLogIn = (listing: string): CollectionLog | null =>
  collectionLogs.find((log) => listing.includes(`\n"${log}" : `)) ?? null;

/** `{Heap after GC invocations=8` up to Java 24, `{heap After GC invocations=8` since Java 25. */
const afterCollection = /\{heap after gc /gi;

/** Heap right after the last collection, bytes, from the log of collections; null if it has none. */
export function liveSetIn(events: string): number | null {
  const from = [...events.matchAll(afterCollection)].at(-1)?.index;
  if (from === undefined) return null;
  const block = events.slice(from).split("\n}")[0] ?? "";
  return sumOfUsed(block.split("\n").slice(1));
}

const maxHeap = /-XX:MaxHeapSize=(\d{1,18})\b/;

/** The heap's limit, bytes, from `VM.flags`; null if it has none. */
export function heapMaxIn(flags: string): number | null {
  const [, bytes] = maxHeap.exec(flags) ?? [];
  return bytes === undefined ? null : Number(bytes);
}
