import type { ServerHealth } from "../../../core/health/health.ts";
import { exampleServer } from "../../../core/server/example-server.ts";

export const exampleHealth: ServerHealth = {
  server_id: exampleServer.id,
  health_version: "1",
  period: { from: "2026-11-19T07:34:00.000Z", to: "2026-11-20T07:34:00.000Z" },
  verdict: "critical",
  headline: {
    code: "tick_over_budget",
    text: "Ticks take 61.4 ms of the 50 ms they have (median of 15 min).",
  },
  since: "2026-11-20T06:59:00.000Z",
  findings: [
    {
      code: "tick_over_budget",
      severity: "critical",
      subject: null,
      suspects: [],
      since: "2026-11-20T06:59:00.000Z",
      since_is_at_least: false,
      intermittent: false,
      held_by: null,
      until: null,
      evidence: [
        {
          key: "mspt_median",
          value: 61.4,
          unit: "ms",
          threshold: 50,
          measured_at: "2026-11-20T07:33:47.512Z",
        },
      ],
      coincides_with: [
        {
          kind: "plugin_updated",
          at: "2026-11-20T06:48:11.000Z",
          subject: "MarketStalls",
          from: "2.10.0",
          to: "2.10.1",
          minutes_before: 10.8,
        },
      ],
      next: [
        {
          action: "read_metrics",
          tool: "get_server_metrics",
          arguments: { server_id: exampleServer.id, fields: ["mspt", "worst_tick_ms"] },
          page: null,
        },
      ],
    },
  ],
  more_findings: 0,
  changes: [
    {
      kind: "plugin_updated",
      at: "2026-11-20T06:48:11.000Z",
      subject: "MarketStalls",
      from: "2.10.0",
      to: "2.10.1",
      event_id: "019aa0c4-1f70-7d31-8c6e-5f0a1b2c3d4e",
    },
  ],
  availability: {
    percent: 99.31,
    up_seconds: 85804,
    down_seconds: 596,
    stopped_seconds: 0,
    maintenance_seconds: 0,
    unmonitored_seconds: 0,
    incidents: 1,
  },
  not_measured: [],
  urls: { server: `https://tickmark.example/servers/${exampleServer.id}` },
};
