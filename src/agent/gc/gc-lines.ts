/** The facts in one line of a GC log; null for what it does not hold. `src/bench/game/gc-figures.ts` reads the collector's name and the heap before. */
export interface GcLine {
  /** Number of the collection; some logs have none. */
  readonly id: number | null;
  readonly kind: "young" | "full" | "other";
  /** Length of the stop-the-world pause, ms. */
  readonly stoppedMs: number | null;
  /** Heap in use right after the collection, bytes. */
  readonly afterBytes: number | null;
  /** ZGC logs a collection (`cycle`) and its pauses (`phase`) in separate lines. */
  readonly zgc: "cycle" | "phase" | null;
}

const nothing: GcLine = { id: null, kind: "other", stoppedMs: null, afterBytes: null, zgc: null };

/** Characters; longer lines hold other things, such as module lists and statistics. */
const longestLine = 2000;

const unitBytes: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `14M->12M(128M)`, `106M(0%)->88M(0%)`, and of JDK 8 `24.0M(256.0M)->20.1M(256.0M)`. */
const fromTo =
  /\b\d{1,12}(?:[.,]\d{1,3})?[BKMG](?:\(\d{1,12}(?:[.,]\d{1,3})?[BKMG%]\))?->(\d{1,12}(?:[.,]\d{1,3})?)([BKMG])/g;

/** In some locales the JVM writes `7,033ms`. */
const decimal = (text: string): number => Number(text.replace(",", "."));

/** The last figure is the heap's: JDK 8 writes each generation before it. */
function lastAfter(text: string): number | null {
  const last = [...text.matchAll(fromTo)].at(-1);
  const bytes = unitBytes[last?.[2] ?? ""];
  return last?.[1] === undefined || bytes === undefined ? null : decimal(last[1]) * bytes;
}

/** Reads a line of a unified GC log (JDK 9 and newer, any collector) or of JDK 8's `-Xloggc`. */
export function parseGcLine(line: string): GcLine {
  if (line.length > longestLine) return nothing;
  const at = line.indexOf("GC(");
  return at < 0 ? oldLine(line) : unifiedText(line.slice(at));
}

/** `GC(12) Pause Young (Normal) (G1 Evacuation Pause) 20M->12M(128M) 3.211ms` */
const numbered = /^GC\((\d{1,9})\) /;
const generation = /^[yYoO]: /;
const atEnd = / (\d{1,9}[.,]\d{1,9})ms$/;

/** Pauses that free memory; after the others the heap is as full as before. */
const collecting = /^Pause (?:Young|Full|Mixed|Degenerated|Initial Mark \(G1) ?/;
const zCycle = /^(?:Garbage|Minor|Major) Collection /;
const zPhase = /^Pause (?:Mark (?:Start|End)|Relocate Start)\b/;

function unifiedText(text: string): GcLine {
  const [head = "", id] = numbered.exec(text) ?? [];
  if (id === undefined) return nothing;
  const said = text.slice(head.length).trim().replace(generation, "");
  if (said.startsWith("Pause ")) {
    const [, ms] = atEnd.exec(said) ?? [];
    // Without a duration, the line only announces the pause.
    if (ms === undefined) return nothing;
    const kind = said.startsWith("Pause Young") ? "young" : said.startsWith("Pause Full") ? "full" : "other";
    return {
      id: Number(id),
      kind,
      stoppedMs: decimal(ms),
      afterBytes: collecting.test(said) ? lastAfter(said) : null,
      zgc: zPhase.test(said) ? "phase" : null,
    };
  }
  if (zCycle.test(said)) return { ...nothing, afterBytes: lastAfter(said), zgc: "cycle" };
  // A concurrent collection of Shenandoah ends with this line.
  return said.startsWith("Concurrent cleanup ") ? { ...nothing, afterBytes: lastAfter(said) } : nothing;
}

const oldCollection = /\[(?:Full )?GC\b/;
const seconds = /, (\d{1,6}[.,]\d{1,9}) secs\]/g;

/** What follows these names is not about the heap. */
const beyondHeap = /\[(?:Metaspace|PSPermGen|CMS Perm|Perm) ?:/;

/** `1.234: [GC (Allocation Failure) [PSYoungGen: 6K->1K(7K)] 65K->40K(251K), 0.0123 secs] [Times: …]` */
function oldLine(line: string): GcLine {
  // G1 of JDK 8 writes the heap on its own line, in the middle of a pause.
  const heapAt = line.indexOf(" Heap: ");
  if (heapAt >= 0) return { ...nothing, afterBytes: lastAfter(line.slice(heapAt)) };
  // Concurrent phases do not stop the server.
  if (!oldCollection.test(line) || line.includes("concurrent-")) return nothing;
  const last = [...line.matchAll(seconds)].at(-1)?.[1];
  if (last === undefined) return nothing;
  const ofHeap = line.split(beyondHeap)[0] ?? "";
  return { ...nothing, stoppedMs: decimal(last) * 1000, afterBytes: lastAfter(ofHeap) };
}
