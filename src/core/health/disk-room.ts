import { theilSen } from "../statistics/theil-sen.ts";
import { dayMs } from "../time.ts";
import type { FieldLow } from "./field-low.ts";
import { diskCritical, diskCriticalMb, diskWarning, leastDiskGrowthMs, leastDiskLows } from "./thresholds.ts";

export type DiskLevel = "warning" | "critical";

/** How full a disk is; null for one with enough room. */
export function diskLevel(freeMb: number, totalMb: number): DiskLevel | null {
  if (freeMb < diskCriticalMb || freeMb < diskCritical * totalMb) return "critical";
  return freeMb < diskWarning * totalMb ? "warning" : null;
}

/** A full disk of backups stops no server: it is a warning, where the next backup may fail. */
export const backupDiskLevel = (freeMb: number, totalMb: number): "warning" | null =>
  diskLevel(freeMb, totalMb) === "critical" ? "warning" : null;

/**
 * MB a day by which a disk fills: the slope (Theil and Sen) of the least free space of each six hours. Null for
 * fewer lows than say something, and where the slope is not below 0 with 95 % certainty.
 */
export function diskGrowth(lows: readonly FieldLow[]): number | null {
  const [first, last] = [lows[0], lows.at(-1)];
  if (!first || !last || lows.length < leastDiskLows || last.lowAt - first.lowAt < leastDiskGrowthMs)
    return null;
  const line = theilSen(lows.map(({ lowAt, mb }) => ({ x: lowAt / dayMs, y: -mb })));
  return line === null || line.low <= 0 ? null : line.slope;
}
