import type { MonitoringOverview } from "../../../core/monitoring/overview.ts";

/** One server, which is offline. */
export const exampleOverview: MonitoringOverview = {
  generated_at: "2026-11-20T07:34:00.000Z",
  data: [
    {
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      status: "offline",
      state: "unreachable",
      state_since: "2026-11-20T07:21:48.000Z",
      last_tick_age_ms: 38,
      monitoring: { enabled: true, site_step: "on", plugin_step: "stale" },
      last_heartbeat: "2026-11-20T07:21:48.000Z",
      boot_timestamp: "2026-11-19T18:02:11.000Z",
      uptime_seconds: null,
      sampled_at: null,
      current: null,
      name: "Lobby",
      group_id: null,
      maintenance_ends_at: null,
      open_alerts: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000070",
          rule_id: "019a9f5e-1d00-7000-8000-000000000071",
          rule_name: "Lobby is down",
          metric: "offline",
          status: "open",
          opened_at: "2026-11-20T07:28:30.000Z",
          value: null,
        },
      ],
      enabled_rules: 2,
      health: {
        verdict: "down",
        since: "2026-11-20T07:21:48.000Z",
        reasons: ["server_down"],
        evaluated_at: "2026-11-20T07:34:00.000Z",
        judged_at: null,
      },
    },
  ],
  more_servers: 0,
  totals: {
    servers: 1,
    online: 0,
    offline: 1,
    not_monitored: 0,
    by_state: {
      running: 0,
      unresponsive: 0,
      paused_empty: 0,
      stopped: 0,
      paused: 0,
      unreachable: 1,
      never_seen: 0,
      not_monitored: 0,
    },
    players: 0,
    open_alerts: 1,
    unwatched: 0,
  },
};
