import { toTimestamp, type Instant } from "../time.ts";

/** `1 server`, `2 servers`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** `2026-11-20 07:34`. */
export const shownMinute = (instant: Instant): string => toTimestamp(instant).slice(0, 16).replace("T", " ");
