import {
  bindingWindow,
  remaining,
  resetInstant,
  type RateWindows,
  type WindowState,
} from "../core/access/rate-window.ts";
import type { Instant } from "../core/time.ts";

/** How long a browser uses https only, s: a year. */
const httpsOnlySeconds = 31_536_000;

const nosniff = { "x-content-type-options": "nosniff" };
const nosniffByHttps = { ...nosniff, "strict-transport-security": `max-age=${httpsOnlySeconds}` };

/** `nosniff` keeps browsers from guessing another type. */
export const headersOfEveryAnswer = (baseUrl: string): Readonly<Record<string, string>> =>
  baseUrl.startsWith("https:") ? nosniffByHttps : nosniff;

const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

const policy = (name: string, { limit, lengthMs }: WindowState): string =>
  `"${name}";q=${limit};w=${seconds(lengthMs)}`;

const state = (name: string, window: WindowState, now: Instant): string =>
  `"${name}";r=${remaining(window)};t=${seconds(resetInstant(window, now) - now)}`;

/**
 * The X- headers show the window that binds first, the others both (draft-ietf-httpapi-ratelimit-headers).
 * Reset is in Unix seconds.
 */
export function rateHeaders(windows: RateWindows, now: Instant): Record<string, string> {
  const name = bindingWindow(windows, now);
  const binding = name === "hour" && windows.hour ? windows.hour : windows.day;
  const { day, hour } = windows;
  return {
    "x-ratelimit-limit": String(binding.limit),
    "x-ratelimit-remaining": String(remaining(binding)),
    "x-ratelimit-reset": String(seconds(resetInstant(binding, now))),
    "x-ratelimit-window": name,
    "ratelimit-policy": hour ? `${policy("day", day)}, ${policy("hour", hour)}` : policy("day", day),
    ratelimit: hour ? `${state("day", day, now)}, ${state("hour", hour, now)}` : state("day", day, now),
  };
}
