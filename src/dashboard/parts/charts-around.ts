import { minuteMs, toTimestamp, type Instant } from "../../core/time.ts";

/** How much time the charts show before and after an event, ms. */
const marginMs = 30 * minuteMs;

/** The address of a server's charts around a time, or from before a first to after a last time. */
export function chartsAround(serverId: string, first: Instant, last: Instant = first): string {
  const period = { from: toTimestamp(first - marginMs), to: toTimestamp(last + marginMs) };
  return `/servers/${serverId}/charts?${new URLSearchParams(period)}`;
}
