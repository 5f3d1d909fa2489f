import { dayMs, hourMs, minuteMs, secondMs, toTimestamp, type Instant } from "../time.ts";
import { neutralise } from "./neutralise.ts";

/** The longest name or title of others that a message shows, in code points. */
const nameCap = 200;

/** For one line of a message: tabs and line feeds become spaces; `cap` in code points. */
export const shownName = (text: string, cap = nameCap): string =>
  neutralise(text.replaceAll(/[\t\n]+/g, " "), cap).text;

export const visible = (text: string): string => neutralise(text, Infinity).text;

export const shownNumber = (value: number): string => String(Math.round(value * 100) / 100);

const units = [
  ["d", dayMs],
  ["h", hourMs],
  ["min", minuteMs],
  ["s", secondMs],
] as const;

/** In its two largest units: `2 h 10 min`, `45 s`. Below a second, and below zero, `0 s`. */
export function shownDuration(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first < 0) return "0 s";
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
}

/** As `2026-11-20 07:34:00 UTC`. */
export const shownTime = (instant: Instant): string =>
  `${toTimestamp(instant).slice(0, 19).replace("T", " ")} UTC`;
