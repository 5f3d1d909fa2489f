import { type FieldLow, type KeptLows, type LowField, lowMs } from "../../core/health/field-low.ts";
import { leastObservedMs, mostObservedMs } from "../../core/health/memory-growth.ts";
import { diskGrowthMs, startingMs } from "../../core/health/thresholds.ts";
import { dayMs, hourMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { WholeBaseline } from "../../store/health/baselines.ts";
import { selectLows } from "../../store/health/field-lows.ts";

/** Time read at once, whole six hours: 1 to 2 ms of the thread on SQLite. */
const readMs = 36 * hourMs;

interface Wanted {
  readonly server: string;
  readonly field: LowField;
}

async function readLows(
  db: Database,
  { server, field }: Wanted,
  from: Instant,
  to: Instant,
): Promise<FieldLow[]> {
  const lows: FieldLow[] = [];
  for (let start = from; start < to; start += readMs)
    lows.push(...(await db.read(selectLows, server, field, start, Math.min(to, start + readMs))));
  return lows;
}

/** Null for lows that were kept before each had the time of its sample. */
const dated = (kept: KeptLows | null): KeptLows | null =>
  kept?.lows.every(({ lowAt }) => Number.isFinite(lowAt)) === true ? kept : null;

/** Lows of whole six hours from `first` to `to`. Reuses those of stored days. */
async function lowsSince(
  db: Database,
  wanted: Wanted,
  { first, to }: { readonly first: Instant; readonly to: Instant },
  kept: KeptLows | null,
): Promise<FieldLow[]> {
  const from = Math.ceil(first / lowMs) * lowMs;
  const known = dated(kept);
  if (known === null) return await readLows(db, wanted, from, to);
  return [
    ...(await readLows(db, wanted, from, Math.min(to, known.from))),
    ...known.lows.filter(({ at }) => at >= from && at + lowMs <= to),
    ...(await readLows(db, wanted, Math.max(from, known.to), to)),
  ];
}

/** Stored lows count unless a late sample changed one of their days. */
const unchangedIn = (kept: WholeBaseline | null): WholeBaseline | null =>
  kept === null || kept.day < 0 ? null : kept;

/** Lows of the heap; empty while the boot is too young to be judged. */
export async function heapLowsOf(
  db: Database,
  { server, bootAt, to }: { readonly server: string; readonly bootAt: Instant | null; readonly to: Instant },
  kept: WholeBaseline | null,
): Promise<FieldLow[]> {
  if (bootAt === null || to - bootAt < leastObservedMs) return [];
  const first = Math.max(bootAt + startingMs, to - mostObservedMs);
  const known = unchangedIn(kept)?.heapLows ?? null;
  return await lowsSince(db, { server, field: "heap_after_gc_mb" }, { first, to }, known);
}

/** Lows of the free disk since `from`; empty for a server that does not send it. */
export async function diskLowsOf(
  db: Database,
  {
    server,
    isSent,
    from,
    to,
  }: { readonly server: string; readonly isSent: boolean; readonly from: Instant; readonly to: Instant },
  kept: WholeBaseline | null,
): Promise<FieldLow[]> {
  if (!isSent) return [];
  const known = unchangedIn(kept)?.diskLows ?? null;
  return await lowsSince(db, { server, field: "disk_free_mb" }, { first: from - diskGrowthMs, to }, known);
}

interface KeptBefore {
  readonly known: KeptLows | null;
  readonly unchanged: ReadonlySet<Instant>;
}

/**
 * Lows of the whole days from `from` to before `day`. Days in `unchanged` reuse the known lows; others are
 * read from samples.
 */
async function lowsOfDays(
  db: Database,
  wanted: Wanted,
  { from, day }: { readonly from: Instant; readonly day: Instant },
  { known, unchanged }: KeptBefore,
): Promise<KeptLows> {
  const earlier = dated(known);
  const lows: FieldLow[] = [];
  for (let start = from; start < day; start += dayMs) {
    const isKnown = earlier !== null && start >= earlier.from && start < earlier.to && unchanged.has(start);
    lows.push(
      ...(isKnown
        ? earlier.lows.filter(({ at }) => at >= start && at < start + dayMs)
        : await db.read(selectLows, wanted.server, wanted.field, start, start + dayMs)),
    );
  }
  return { from, to: day, lows };
}

/** Lows of the heap of the whole days before `day` that matter for the current boot. */
export async function heapLowsBefore(
  db: Database,
  { id, bootTimestamp }: { readonly id: string; readonly bootTimestamp: Instant | null },
  day: Instant,
  kept: KeptBefore,
): Promise<KeptLows> {
  const from = Math.min(day, Math.max(day - mostObservedMs, utcDay(bootTimestamp ?? day)));
  return await lowsOfDays(db, { server: id, field: "heap_after_gc_mb" }, { from, day }, kept);
}

/** Lows of the free disk of the whole days before `day`; of no day for a server that does not send it. */
export async function diskLowsBefore(
  db: Database,
  { id, isSent }: { readonly id: string; readonly isSent: boolean },
  day: Instant,
  kept: KeptBefore,
): Promise<KeptLows> {
  const from = isSent ? day - diskGrowthMs : day;
  return await lowsOfDays(db, { server: id, field: "disk_free_mb" }, { from, day }, kept);
}
