import { clamp } from "./parts.ts";
import type { ReportPayload } from "./payload.ts";

// 600 ticks = 30 s at 20 ticks/s: below that a share of late ticks is noise.
const leastTicks = 600;

/** Up to +5 % for balanced hardware, nothing if the weakest part is half of the whole; null if unscored. */
export function synergyBonus(parts: readonly number[], hardware: number): number | null {
  if (hardware <= 0) return null;
  return 1 + 0.05 * clamp((Math.min(...parts) / hardware - 0.5) / 0.5, 0, 1);
}

/** Down to −10 % for a gameplay phase shorter than 300 s; null for other modes or an unknown length. */
export function durationFactor({ benchmark_mode, ticks }: ReportPayload): number | null {
  const seconds = ticks.duration_seconds;
  return benchmark_mode === "standard" && seconds !== null ? 0.9 + 0.1 * clamp(seconds / 300, 0, 1) : null;
}

/** Twice the share of time in GC pauses beyond 1 %, at most −10 %; null when pauses or length are unknown. */
export function gcFactor({ benchmark_mode, gc, ticks }: ReportPayload): number | null {
  const seconds = ticks.duration_seconds ?? 0;
  if (benchmark_mode !== "standard" || gc.pause_total_ms === null || seconds <= 0) return null;
  const share = gc.pause_total_ms / (1000 * seconds);
  return 1 - clamp(2 * (share - 0.01), 0, 0.1);
}

/** Up to +5 % for ticks within 50 ms: all of it if no tick is late, nothing from 5 % late ticks on. */
export function stabilityBonus({ benchmark_mode, ticks }: ReportPayload): number | null {
  const { count, over_50ms: late } = ticks;
  if (benchmark_mode !== "standard" || count === null || count < leastTicks || late === null) return null;
  return 1 + 0.05 * clamp((1 - late / count - 0.95) / 0.05, 0, 1);
}
