import type { FleetHealth } from "../../../core/monitoring/fleet-health.ts";

/** Two servers, one of which has slow ticks. */
export const exampleFleetHealth: FleetHealth = {
  generated_at: "2026-11-20T07:34:00.000Z",
  data: [
    {
      server_id: "019a9f5e-1d00-7000-8000-000000000011",
      name: "Survival",
      verdict: "critical",
      since: "2026-11-20T06:59:00.000Z",
      reasons: ["tick_over_budget"],
      evaluated_at: "2026-11-20T07:31:02.000Z",
      judged_at: null,
      headline: {
        code: "tick_over_budget",
        text: "Ticks take 61.4 ms of the 50 ms they have (median of 15 min).",
      },
      open_alerts: 1,
    },
    {
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      name: "Lobby",
      verdict: "healthy",
      since: "2026-11-19T18:02:11.000Z",
      reasons: [],
      evaluated_at: "2026-11-20T04:12:40.000Z",
      judged_at: null,
      headline: {
        code: "healthy",
        text: "Nothing is wrong. Ticks take 11.2 ms of the 50 ms they have (median of 15 min).",
      },
      open_alerts: 0,
    },
  ],
  more_servers: 0,
  totals: {
    servers: 2,
    down: 0,
    critical: 1,
    degraded: 0,
    unknown: 0,
    healthy: 1,
    stopped: 0,
    not_monitored: 0,
  },
};
