import uPlot from "uplot";
import { zonedTime } from "../look/zoned-time.ts";

const { zone = "UTC", clock = "24", locale = "en" } = document.documentElement.dataset;
const hourCycle = clock === "12" ? "h12" : "h23";

/** Numbers as the page writes them. */
export const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of the page's time zone, kept because creating one is slow. */
function formatOf(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const format =
    formats.get(name) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle, ...options });
  formats.set(name, format);
  return format;
}

const day = (seconds: number): string =>
  formatOf("day", { month: "short", day: "numeric" }).format(seconds * 1000);

const time = (seconds: number): string =>
  formatOf("time", { hour: hourCycle === "h12" ? "numeric" : "2-digit", minute: "2-digit" }).format(
    seconds * 1000,
  );

/** A time in full, with its zone. */
export const fullTime = (seconds: number): string => zonedTime(seconds * 1000, zone, clock);

/** Time as uPlot divides it, in the page's time zone. */
export const zonedDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), zone);

/** Labels of the time axis: the date at the beginning of a day, and alone where the labels are days apart. */
export function timeLabels(splits: readonly number[]): string[] {
  const areDays = (splits[1] ?? 0) - (splits[0] ?? 0) >= 86_400;
  return splits.map((seconds) => {
    const isMidnight = zonedDate(seconds).getHours() === 0 && zonedDate(seconds).getMinutes() === 0;
    return areDays || isMidnight ? day(seconds) : time(seconds);
  });
}
