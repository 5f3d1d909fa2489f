/** Reads figures from the text that diagnostic commands of a HotSpot JVM print. */

const unitBytes: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `used 170241K` of most collectors, `109M used` of Shenandoah; a share (`49% used`) is none. */
const usedFigure = /\bused (\d{1,12})([BKMG])|\b(\d{1,12})([BKMG]) used/;

/** Parts of what is counted already stand deeper. */
const isInner = (line: string): boolean => line.startsWith("  ");

/** Heap in use, bytes, from what `GC.heap_info` prints; null when it says none. Generations are added up. */
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

const afterCollection = "{Heap after GC ";

/** Heap right after the last collection, bytes, from what `VM.events log=gc` prints; null when it has none. */
export function liveSetIn(events: string): number | null {
  const from = events.lastIndexOf(afterCollection);
  if (from < 0) return null;
  const block = events.slice(from).split("\n}")[0] ?? "";
  return sumOfUsed(block.split("\n").slice(1));
}

const maxHeap = /-XX:MaxHeapSize=(\d{1,18})\b/;

/** The most the heap may grow to, bytes, from what `VM.flags` prints; null when it does not say. */
export function heapMaxIn(flags: string): number | null {
  const [, bytes] = maxHeap.exec(flags) ?? [];
  return bytes === undefined ? null : Number(bytes);
}
