import { hourMs, type Instant } from "../time.ts";

/** Of this time the least figure is kept, ms. */
export const lowMs = 6 * hourMs;

/** Fields whose lows are read. */
export type LowField = "heap_after_gc_mb" | "disk_free_mb";

/** The least value of a field in MB within six hours. */
export interface FieldLow {
  /** Start of the six hours, a multiple of six hours since the Unix epoch. */
  readonly at: Instant;
  /** When its sample was measured: a line through the lows is one through these times. */
  readonly lowAt: Instant;
  readonly mb: number;
}

/** The lows of whole days (UTC), in order of time; six hours without enough samples are left out. */
export interface KeptLows {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly lows: readonly FieldLow[];
}
