import type { Alert } from "../../../../core/alert/alert.ts";
import { ownSource, type ServerEvent } from "../../../../core/event/server-event.ts";
import type { Maintenance } from "../../../../core/maintenance/server-maintenance.ts";
import { visible } from "../../../../core/text/plain-words.ts";
import { chartsAround } from "../../../parts/charts-around.ts";
import type { ChartMark } from "../../../scripts/chart/chart-data.ts";
import { secondsOf } from "../plot-data.ts";

/**
 * The marks of alerts, which lead to their pages, and of events, which lead to the charts around them. Hidden characters
 * in labels are escaped, because a script shows them.
 */
export const annotationsOf = (
  serverId: string,
  alerts: readonly Alert[],
  events: readonly ServerEvent[],
): ChartMark[] =>
  [
    ...alerts.map(({ id, opened_at, rule_name }) => ({
      at: secondsOf(opened_at),
      kind: "alert" as const,
      label: visible(rule_name),
      href: `/alerts/${id}`,
    })),
    ...events.flatMap(({ timestamp, title }) =>
      timestamp === null
        ? []
        : [
            {
              at: secondsOf(timestamp),
              kind: "event" as const,
              label: visible(title),
              href: chartsAround(serverId, Date.parse(timestamp)),
            },
          ],
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
