import { z } from "zod";
import type { PlanLimits } from "../access/plan.ts";
import { HealthSummary, healthSummaryOf } from "../health/health-summary.ts";
import { HeadlineCode, healthVerdicts, type HealthVerdict } from "../health/health.ts";
import { Id } from "../id.ts";
import { derivedStatus } from "../server/status.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { FleetHead } from "./overview.ts";

const count = z.int();

const DiagnosedServer = z.object({
  server_id: Id,
  name: thirdPartyText(80).nullable(),
  ...HealthSummary.shape,
  headline: z.object({ code: HeadlineCode, text: z.string() }),
  open_alerts: count,
});

const VerdictTotals = z.object({
  servers: count,
  down: count,
  critical: count,
  degraded: count,
  unknown: count,
  healthy: count,
  stopped: count,
  not_monitored: count,
} satisfies Record<HealthVerdict | "servers" | "not_monitored", typeof count>);

/** The worst servers come first. */
export const FleetHealth = z.object({
  generated_at: Timestamp,
  data: z.array(DiagnosedServer),
  /** Servers that are not listed. */
  more_servers: count,
  totals: VerdictTotals,
});
export type FleetHealth = z.infer<typeof FleetHealth>;

/** Lists the servers of `head`. */
export function fleetHealthOf(
  { standings, listed, fleet }: FleetHead,
  limits: PlanLimits,
  now: Instant,
): FleetHealth {
  const serverOf = new Map(fleet.servers.map((server) => [server.id, server]));
  const totals = Object.fromEntries(
    ["servers", ...healthVerdicts, "not_monitored"].map((name) => [name, 0]),
  ) as FleetHealth["totals"];
  for (const { state, verdict } of standings) {
    totals.servers += 1;
    totals[state === "not_monitored" ? "not_monitored" : verdict] += 1;
  }
  const data = listed.flatMap(({ id, name, openAlerts }) => {
    const server = serverOf.get(id);
    // It was deleted while the fleet was read.
    if (!server) return [];
    const status = derivedStatus(server, limits, now);
    const known = fleet.health.get(id) ?? null;
    const { headline, ...summary } = healthSummaryOf(known, status, server.lastHeartbeat, now);
    return [{ server_id: id, name, ...summary, headline, open_alerts: openAlerts }];
  });
  return {
    generated_at: toTimestamp(now),
    data,
    more_servers: standings.length - data.length,
    totals,
  };
}
