import { dayMs, hourMs } from "../../../../core/time.ts";

/** The periods that charts are offered for, shortest first. */
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
  /** What was asked for, where the plan does not show that much. */
  readonly beyond: Preset | null;
}

/** Whether a plan that shows so many days shows the whole of it. */
export const isShown = ([, , ms]: Preset, retentionDays: number): boolean => ms <= retentionDays * dayMs;

/** The period a page shows: the one asked for, or the longest the plan shows where that is longer. Null: none. */
export function choosePeriod(range: string | null, retentionDays: number): Chosen | null {
  const shown = presets.filter((preset) => isShown(preset, retentionDays));
  const longest = shown.at(-1);
  if (!longest) return null;
  const wanted = presets.find(([name]) => name === (range ?? usual)) ?? presets[1];
  return isShown(wanted, retentionDays)
    ? { preset: wanted, beyond: null }
    : { preset: longest, beyond: wanted };
}
