import type { Instant } from "../time.ts";

/** A server announced that it stops or that its monitoring pauses, or its monitoring was switched off or on. */
export type TransitionKind = "stopped" | "paused" | "off" | "on";

export interface MonitoringTransition {
  readonly at: Instant;
  readonly kind: TransitionKind;
}

/** A time in which monitoring was switched off; `to` is exclusive. */
interface UnmonitoredTime {
  readonly from: Instant;
  readonly to: Instant;
}

/** The times in which monitoring was switched off, in order; one that was not switched on again lasts. */
export function unmonitoredTimes(transitions: readonly MonitoringTransition[]): UnmonitoredTime[] {
  const times: UnmonitoredTime[] = [];
  let off: Instant | null = null;
  let isKnown = false;
  for (const { at, kind } of transitions) {
    if (kind === "off") off ??= at;
    // The oldest one may have been forgotten: before it was switched on it was off.
    if (kind === "on" && (off !== null || !isKnown)) times.push({ from: off ?? -Infinity, to: at });
    if (kind === "on") off = null;
    isKnown ||= kind === "on" || kind === "off";
  }
  return off === null ? times : [...times, { from: off, to: Infinity }];
}

/** The announcement after which the silence at the end of a period began; null where it was not announced. */
export const lastAnnouncement = (
  transitions: readonly MonitoringTransition[],
): (MonitoringTransition & { readonly kind: "stopped" | "paused" }) | null => {
  const last = transitions.findLast(({ kind }) => kind === "stopped" || kind === "paused");
  return last && (last.kind === "stopped" || last.kind === "paused")
    ? { at: last.at, kind: last.kind }
    : null;
};
