import type { Alert } from "../../../../core/alert/alert.ts";
import type { ServerEvent } from "../../../../core/event/server-event.ts";
import { visible } from "../../../../core/text/plain-words.ts";
import { chartsAround } from "../../../parts/charts-around.ts";
import type { ChartMark } from "../../../scripts/chart/chart-data.ts";
import { secondsOf } from "../plot-data.ts";

/** Labels have hidden characters escaped, because a script shows them. */
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
