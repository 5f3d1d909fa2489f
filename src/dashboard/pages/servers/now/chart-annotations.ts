import type { Alert } from "../../../../core/alert/alert.ts";
import { ownSource, type ServerEvent } from "../../../../core/event/server-event.ts";
import type { Maintenance } from "../../../../core/maintenance/server-maintenance.ts";
import { visible } from "../../../../core/text/plain-words.ts";
import { secondsOf } from "../plot-data.ts";

/** A mark on the charts' time axis. */
export interface ChartAnnotation {
  readonly at: number;
  readonly kind: "alert" | "event";
  /** Hidden characters are escaped, because a script shows this text. */
  readonly label: string;
}

export const annotationsOf = (alerts: readonly Alert[], events: readonly ServerEvent[]): ChartAnnotation[] =>
  [
    ...alerts.map(({ opened_at, rule_name }) => ({
      at: secondsOf(opened_at),
      kind: "alert" as const,
      label: visible(rule_name),
    })),
    ...events.flatMap(({ timestamp, title }) =>
      timestamp === null ? [] : [{ at: secondsOf(timestamp), kind: "event" as const, label: visible(title) }],
    ),
  ].toSorted((one, other) => one.at - other.at);

/**
 * The periods of maintenance: the one in progress, and those whose beginning is in the timeline. Later changes of
 * their ends are not recorded, so each reaches to its planned end, but not beyond the next one.
 */
export function maintenancePeriods(
  maintenance: Maintenance,
  events: readonly ServerEvent[],
  now: number,
): (readonly [from: number, to: number])[] {
  const current = maintenance.started_at === null ? null : secondsOf(maintenance.started_at);
  const planned = events
    .filter(({ source, type }) => source === ownSource && type === "maintenance_start")
    .flatMap(({ timestamp, metadata }) => {
      const end = endOf(metadata);
      return timestamp === null || end === null ? [] : [[secondsOf(timestamp), end] as const];
    })
    .filter(([from]) => current === null || from < current)
    .toSorted(([one], [other]) => one - other);
  const shades = planned.map(
    ([from, to], index) => [from, Math.min(to, planned[index + 1]?.[0] ?? current ?? now, now)] as const,
  );
  return current === null ? shades : [...shades, [current, now]];
}

function endOf(metadata: unknown): number | null {
  if (typeof metadata !== "object" || metadata === null || !("ends_at" in metadata)) return null;
  const at = typeof metadata.ends_at === "string" ? Date.parse(metadata.ends_at) : Number.NaN;
  return Number.isNaN(at) ? null : Math.round(at / 1000);
}
