import uPlot from "uplot";
import { zonedTime } from "../look/zoned-time.ts";

const { zone = "UTC", clock = "24", locale = "en" } = document.documentElement.dataset;
const hourCycle = clock === "12" ? "h12" : "h23";

/** As the page writes numbers. */
export const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

const formats = new Map<string, Intl.DateTimeFormat>();

/** In the page's time zone; cached, because creating a format is slow. */
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

/** With its zone. */
export const fullTime = (seconds: number): string => zonedTime(seconds * 1000, zone, clock);

/** In the page's time zone; uPlot divides the axis by it. */
export const zonedDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), zone);

/** The date at the beginning of a day; only dates if the labels are days apart. */
export function timeLabels(splits: readonly number[]): string[] {
  const areDays = (splits[1] ?? 0) - (splits[0] ?? 0) >= 86_400;
  return splits.map((seconds) => {
    const isMidnight = zonedDate(seconds).getHours() === 0 && zonedDate(seconds).getMinutes() === 0;
    return areDays || isMidnight ? day(seconds) : time(seconds);
  });
}
