import { dayMs, hourMs } from "../../../../core/time.ts";

/** The periods of the charts, shortest first. */
export const presets = [
  ["1h", "1 h", hourMs],
  ["6h", "6 h", 6 * hourMs],
  ["24h", "24 h", dayMs],
  ["7d", "7 d", 7 * dayMs],
  ["30d", "30 d", 30 * dayMs],
] as const;

export type Preset = (typeof presets)[number];

const usual = "6h";

export interface Chosen {
  readonly preset: Preset;
  /** The requested period, if it is longer than the plan shows. */
  readonly beyond: Preset | null;
}

/** Whether the retention covers the whole period. */
export const isShown = ([, , ms]: Preset, retentionDays: number): boolean => ms <= retentionDays * dayMs;

/** The requested period, or the longest that the plan shows if that is shorter. Null if the plan shows none. */
export function choosePeriod(range: string | null, retentionDays: number): Chosen | null {
  const shown = presets.filter((preset) => isShown(preset, retentionDays));
  const longest = shown.at(-1);
  if (!longest) return null;
  const wanted = presets.find(([name]) => name === (range ?? usual)) ?? presets[1];
  return isShown(wanted, retentionDays)
    ? { preset: wanted, beyond: null }
    : { preset: longest, beyond: wanted };
}
