import type { z } from "zod";
import { GcTally } from "../../agent/gc/gc-tally.ts";
import { parseGcLine } from "../../agent/gc/gc-lines.ts";
import { toMb } from "../../agent/process/jvm-figures.ts";
import type { GcBlock, HeapBlock, JvmBlock } from "../../core/report/payload-blocks.ts";

type GcFigures = NonNullable<z.input<typeof GcBlock>>;
type HeapFigures = NonNullable<z.input<typeof HeapBlock>>;
type Collector = NonNullable<z.input<typeof JvmBlock>>["collector"];

export function gcFiguresIn(lines: readonly string[]): {
  readonly gc: GcFigures;
  readonly heap: HeapFigures;
} {
  const tally = new GcTally();
  const pauses: number[] = [];
  const after: number[] = [];
  let [explicit, humongous, usedMost] = [0, 0, 0];
  for (const line of lines) {
    tally.add(line);
    const { stoppedMs, afterBytes } = parseGcLine(line);
    if (afterBytes !== null) after.push(afterBytes);
    usedMost = Math.max(usedMost, beforeBytes(line) ?? 0);
    if (stoppedMs === null) continue;
    pauses.push(stoppedMs);
    if (line.includes("(System.gc())")) explicit += 1;
    if (line.includes("G1 Humongous Allocation")) humongous += 1;
  }
  const total = tally.takeStoppedMs();
  const isKnown = total !== null;
  return {
    gc: {
      pauses_count: isKnown ? pauses.length : null,
      pause_total_ms: total,
      pause_max_ms: isKnown ? Math.max(0, ...pauses) : null,
      explicit_gc_count: explicit,
      humongous_allocations: humongous,
    },
    heap: {
      used_max_mb: usedMost === 0 ? null : toMb(usedMost),
      after_gc_max_mb: after.length === 0 ? null : toMb(Math.max(...after)),
      after_gc_last_mb: after.length === 0 ? null : toMb(after.at(-1) ?? 0),
      after_gc_samples: after.length,
    },
  };
}

const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
const beforeArrow = /(\d{1,9})([KMG])(?:\(\d{1,3}%\))?->/;

/** Heap in use before a collection, bytes; null for other lines. */
function beforeBytes(line: string): number | null {
  if (!line.includes("GC(")) return null;
  const [, number, unit = ""] = beforeArrow.exec(line) ?? [];
  const bytes = units[unit];
  return number === undefined || bytes === undefined ? null : Number(number) * bytes;
}

/** What a JVM writes about itself at the start of its GC log. */
export function jvmFactsIn(lines: readonly string[]): {
  readonly collector: Collector;
  readonly javaMajor: number | null;
  readonly heapInitialMb: number | null;
  readonly heapMaxMb: number | null;
} {
  const text = lines.join("\n");
  const major = /\bVersion: (\d{1,3})\b/.exec(text)?.[1];
  return {
    collector: collectorIn(text),
    javaMajor: major === undefined ? null : Number(major),
    heapInitialMb: capacityIn(text, "Initial Capacity"),
    heapMaxMb: capacityIn(text, "Max Capacity"),
  };
}

const collectors: readonly (readonly [written: RegExp, collector: NonNullable<Collector>])[] = [
  [/Using G1/, "g1"],
  [/Using Serial/, "serial"],
  [/Using Parallel/, "parallel"],
  [/Using Shenandoah/, "shenandoah"],
  [/Using Concurrent Mark Sweep/, "cms"],
];

function collectorIn(text: string): Collector {
  if (/Z Garbage Collector/.test(text))
    return /Old Generation|(?:Minor|Major) Collection/.test(text) ? "zgc_generational" : "zgc";
  const found = collectors.find(([written]) => written.test(text));
  return found?.[1] ?? (text.includes("Using ") ? "other" : null);
}

function capacityIn(text: string, label: string): number | null {
  const [, number, unit = ""] = new RegExp(`\\b${label}: (\\d{1,9})([KMG])\\b`).exec(text) ?? [];
  const bytes = units[unit];
  return number === undefined || bytes === undefined ? null : toMb(Number(number) * bytes);
}
