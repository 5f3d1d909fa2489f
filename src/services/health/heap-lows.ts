import {
  heapLowMs,
  leastObservedMs,
  mostObservedMs,
  type HeapLow,
  type KeptHeapLows,
} from "../../core/health/memory-growth.ts";
import { startingMs } from "../../core/health/thresholds.ts";
import { dayMs, hourMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { WholeBaseline } from "../../store/health/baselines.ts";
import { selectHeapLows } from "../../store/health/heap-lows.ts";

/** Time read at once, whole six hours: 1 to 2 ms of the thread on SQLite. */
const readMs = 36 * hourMs;

async function readLows(db: Database, server: string, from: Instant, to: Instant): Promise<HeapLow[]> {
  const lows: HeapLow[] = [];
  for (let start = from; start < to; start += readMs)
    lows.push(...(await db.read(selectHeapLows, server, start, Math.min(to, start + readMs))));
  return lows;
}

/** Null for lows that were kept before each had the time of its sample. */
const dated = (kept: KeptHeapLows | null): KeptHeapLows | null =>
  kept?.lows.every(({ lowAt }) => Number.isFinite(lowAt)) === true ? kept : null;

/** Empty while the boot is too young to be judged. Reuses stored days unless a late sample changed one. */
export async function heapLowsOf(
  db: Database,
  { server, bootAt, to }: { readonly server: string; readonly bootAt: Instant | null; readonly to: Instant },
  kept: WholeBaseline | null,
): Promise<HeapLow[]> {
  if (bootAt === null || to - bootAt < leastObservedMs) return [];
  const first = Math.max(bootAt + startingMs, to - mostObservedMs);
  const from = Math.ceil(first / heapLowMs) * heapLowMs;
  const known = kept === null || kept.day < 0 ? null : dated(kept.heapLows);
  if (known === null) return await readLows(db, server, from, to);
  return [
    ...(await readLows(db, server, from, Math.min(to, known.from))),
    ...known.lows.filter(({ at }) => at >= from && at + heapLowMs <= to),
    ...(await readLows(db, server, Math.max(from, known.to), to)),
  ];
}

/**
 * Lows of the whole days before `day` that matter for the current boot. Days in `unchanged` reuse the known
 * lows; others are read from samples.
 */
export async function lowsBefore(
  db: Database,
  server: { readonly id: string; readonly bootTimestamp: Instant | null },
  day: Instant,
  { known, unchanged }: { readonly known: KeptHeapLows | null; readonly unchanged: ReadonlySet<Instant> },
): Promise<KeptHeapLows> {
  const from = Math.min(day, Math.max(day - mostObservedMs, utcDay(server.bootTimestamp ?? day)));
  const earlier = dated(known);
  const lows: HeapLow[] = [];
  for (let start = from; start < day; start += dayMs) {
    const isKnown = earlier !== null && start >= earlier.from && start < earlier.to && unchanged.has(start);
    lows.push(
      ...(isKnown
        ? earlier.lows.filter(({ at }) => at >= start && at < start + dayMs)
        : await db.read(selectHeapLows, server.id, start, start + dayMs)),
    );
  }
  return { from, to: day, lows };
}
