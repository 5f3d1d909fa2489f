import { z } from "zod";
import type { PlanLimits } from "../access/plan.ts";
import { HealthSummary, healthSummaryOf } from "../health/health-summary.ts";
import { HeadlineCode, healthVerdicts, type HealthVerdict } from "../health/health.ts";
import { Id } from "../id.ts";
import { derivedStatus } from "../server/status.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import type { Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { overviewSteps, type Fleet } from "./overview.ts";

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

/** Lists the first `limit` servers in the order of the overview; runs in steps. */
export function* fleetHealthSteps(
  fleet: Fleet,
  limits: PlanLimits,
  now: Instant,
  limit: number,
): Generator<void, FleetHealth> {
  const { generated_at, data: rows } = yield* overviewSteps(
    fleet,
    { includeUnmonitored: false, watched: null },
    limits,
    now,
  );
  const serverOf = new Map(fleet.servers.map((server) => [server.id, server]));
  const totals = Object.fromEntries(
    ["servers", ...healthVerdicts, "not_monitored"].map((name) => [name, 0]),
  ) as FleetHealth["totals"];
  for (const { state, health } of rows) {
    totals.servers += 1;
    totals[state === "not_monitored" ? "not_monitored" : health.verdict] += 1;
  }
  const data = rows.slice(0, limit).flatMap(({ server_id, name, open_alerts }) => {
    const server = serverOf.get(server_id);
    if (!server) return [];
    const known = fleet.health.get(server_id) ?? null;
    const { headline, ...summary } = healthSummaryOf(
      known,
      derivedStatus(server, limits, now),
      server.lastHeartbeat,
      now,
    );
    return [{ server_id, name, ...summary, headline, open_alerts: open_alerts.length }];
  });
  return { generated_at, data, more_servers: rows.length - data.length, totals };
}
