import { minuteMs, toTimestamp, type Instant } from "../../core/time.ts";

/** Time before and after an event, ms. */
const marginMs = 30 * minuteMs;

/** The address of a server's charts around one time, or around the time from `first` to `last`. */
export function chartsAround(serverId: string, first: Instant, last: Instant = first): string {
  const period = { from: toTimestamp(first - marginMs), to: toTimestamp(last + marginMs) };
  return `/servers/${serverId}/charts?${new URLSearchParams(period)}`;
}
