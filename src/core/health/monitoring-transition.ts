import type { Instant } from "../time.ts";

/**
 * `stopped` and `paused` are announced by the server; `off` and `on` switch its monitoring. From `hung` to `over` an
 * evaluation found that its main thread did not tick, which no sample says.
 */
export type TransitionKind = "stopped" | "paused" | "off" | "on" | "hung" | "over";

export interface MonitoringTransition {
  readonly at: Instant;
  readonly kind: TransitionKind;
}

/** `to` is exclusive. */
interface UnmonitoredTime {
  readonly from: Instant;
  readonly to: Instant;
}

/** Times with monitoring switched off, in order; the last one may have no end. */
export function unmonitoredTimes(transitions: readonly MonitoringTransition[]): UnmonitoredTime[] {
  const times: UnmonitoredTime[] = [];
  let off: Instant | null = null;
  let isKnown = false;
  for (const { at, kind } of transitions) {
    if (kind === "off") off ??= at;
    // An older `off` may be deleted: before the first `on`, monitoring was off.
    if (kind === "on" && (off !== null || !isKnown)) times.push({ from: off ?? -Infinity, to: at });
    if (kind === "on") off = null;
    isKnown ||= kind === "on" || kind === "off";
  }
  return off === null ? times : [...times, { from: off, to: Infinity }];
}

/** The last announced stop or pause; null if there is none. */
export const lastAnnouncement = (
  transitions: readonly MonitoringTransition[],
): (MonitoringTransition & { readonly kind: "stopped" | "paused" }) | null => {
  const last = transitions.findLast(({ kind }) => kind === "stopped" || kind === "paused");
  return last && (last.kind === "stopped" || last.kind === "paused")
    ? { at: last.at, kind: last.kind }
    : null;
};

/** Since when the main thread hung at the end of these transitions; null if it ticked. */
export function hungSince(transitions: readonly MonitoringTransition[]): Instant | null {
  const last = transitions.findLast(({ kind }) => kind === "hung" || kind === "over");
  return last?.kind === "hung" ? last.at : null;
}
