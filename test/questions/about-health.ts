import { overview, type Question } from "./question.ts";

/** What is, and what was. */
export const aboutHealth: readonly Question[] = [
  {
    asks: "Is Evergreen Survival healthy?",
    account: "pro",
    calls: [overview],
    facts: [
      { at: "/data/[name=Evergreen Survival]/state", is: "running" },
      { at: "/data/[name=Evergreen Survival]/open_alerts", is: [] },
      {
        at: "/data/[name=Evergreen Survival]/current/tps",
        rest: "/servers/{Evergreen Survival}/status",
        member: "/current/tps",
      },
      {
        at: "/data/[name=Evergreen Survival]/current/mspt",
        rest: "/servers/{Evergreen Survival}/status",
        member: "/current/mspt",
      },
    ],
  },
  {
    asks: "Which of my servers are in maintenance, and until when?",
    account: "enterprise",
    calls: [overview],
    facts: [
      {
        at: "/data/[name=Harbour]/maintenance_ends_at",
        rest: "/servers/{Harbour}/maintenance",
        member: "/ends_at",
      },
      { at: "/data/[name=Archipelago]/maintenance_ends_at", absent: true },
    ],
  },
  {
    asks: "How are the servers of my group Network doing?",
    account: "enterprise",
    calls: [{ tool: "list_server_groups", args: {} }, overview],
    facts: [
      { of: 0, at: "/data/0/name", is: "Network" },
      { at: "/data/[name=Harbour]/group_id", rest: "/server-groups", member: "/data/0/id" },
      { at: "/data/[name=Archipelago]/group_id", rest: "/server-groups", member: "/data/0/id" },
    ],
  },
  {
    asks: "Which of my servers is the worst right now?",
    account: "hosting",
    calls: [overview],
    facts: [
      { at: "/data/0/name", is: "Foundry SMP" },
      { at: "/data/0/open_alerts/0/rule_name", is: "Slow ticks" },
      { at: "/totals/open_alerts", is: 1 },
    ],
  },
  {
    asks: "Is Foundry SMP lagging now, and why?",
    account: "hosting",
    calls: [
      overview,
      {
        tool: "list_profile_summaries",
        args: { server_id: { from: "/data/[name=Foundry SMP]/server_id" }, limit: 1 },
      },
    ],
    facts: [
      { of: 0, at: "/data/[name=Foundry SMP]/open_alerts/0/metric", is: "mspt" },
      { at: "/data/0/summary/trigger", is: "lag" },
      { at: "/data/0/summary/key_points/0/owner", is: "MarketStalls" },
    ],
  },
  {
    asks: "What made Evergreen Survival slow yesterday?",
    account: "pro",
    calls: [{ tool: "list_profile_summaries", args: { server_id: "Evergreen Survival", days: 2 } }],
    facts: [
      { at: "/data/0/summary/lag/kind", is: "sustained" },
      { at: "/data/0/summary/key_points/0/code", is: "plugin-share" },
      { at: "/data/0/summary/key_points/0/owner", is: "MarketStalls" },
    ],
  },
  {
    asks: "What happened on my servers in the last hour?",
    account: "hosting",
    calls: [{ tool: "list_account_events", args: { from: "-1h" } }],
    facts: [{ at: "/data/0/id", rest: "/monitoring/events?from=-1h", member: "/data/0/id" }],
  },
  {
    asks: "When was Foundry SMP slowest in the last 24 hours?",
    account: "hosting",
    calls: [{ tool: "get_server_metrics", args: { server_id: "Foundry SMP" } }],
    facts: [
      {
        at: "/summary/mspt/max",
        rest: "/servers/{Foundry SMP}/metrics?max_points=2000",
        member: "/summary/mspt/max",
      },
      { at: "/summary/mspt/count", least: 2880, most: 2881 },
    ],
  },
  {
    asks: "How many players were on at peak this week?",
    account: "hosting",
    calls: [
      {
        tool: "get_server_metrics",
        args: { server_id: "Foundry SMP", range: "7d", fields: ["player_count"] },
      },
    ],
    facts: [
      {
        at: "/summary/player_count/max",
        rest: "/servers/{Foundry SMP}/metrics?range=7d&fields=player_count",
        member: "/summary/player_count/max",
      },
      { at: "/gaps", is: [] },
    ],
  },
  {
    asks: "When did Foundry SMP last restart, and did it crash?",
    account: "hosting",
    calls: [{ tool: "list_server_events", args: { server_id: "Foundry SMP", category: "lifecycle" } }],
    facts: [
      { at: "/data/0/type", is: "server_start" },
      { at: "/data/1/type", is: "server_crash" },
      { at: "/data/1/title", has: "OutOfMemoryError" },
    ],
  },
  {
    asks: "How long has Foundry SMP been up?",
    account: "hosting",
    calls: [{ tool: "get_server_status", args: { server_id: "Foundry SMP" } }],
    facts: [{ at: "/uptime_seconds", is: 190 * 3600 }],
  },
  {
    asks: "Is what you know of my servers up to date?",
    account: "enterprise",
    calls: [overview],
    facts: [
      // A server that is running sent a heartbeat within 90 s, and no sample older than 2 minutes is shown.
      { at: "/data/[name=Harbour]/state", is: "running" },
      {
        at: "/data/[name=Harbour]/current/mspt",
        rest: "/servers/{Harbour}/status",
        member: "/current/mspt",
      },
      { at: "/data/[name=Spare Blade]/state", is: "never_seen" },
    ],
  },
  {
    asks: "How many players are on, over all my servers?",
    account: "enterprise",
    calls: [overview],
    facts: [{ at: "/totals/players", rest: "/monitoring/overview", member: "/totals/players" }],
  },
  {
    asks: "Has Foundry SMP enough memory?",
    account: "hosting",
    calls: [{ tool: "get_server_status", args: { server_id: "Foundry SMP" } }],
    facts: [
      {
        at: "/current/heap_after_gc_mb",
        rest: "/servers/{Foundry SMP}/status",
        member: "/current/heap_after_gc_mb",
      },
      { at: "/current/ram_max_mb", is: 10_240 },
      { at: "/current/container_limit_mb", is: 12_288 },
    ],
  },
  {
    asks: "Why has my graph of last night a hole?",
    account: "pro",
    calls: [
      {
        tool: "list_server_events",
        args: { server_id: "Evergreen Survival", severity: "warning", from: "-24h" },
      },
    ],
    facts: [
      { at: "/data/[type=connection_restored]/title", is: "No connection for 21 minutes" },
      { at: "/data/[type=connection_restored]/duration_ms", is: 21 * 60_000 },
    ],
  },
  {
    asks: "Which part of Archipelago lags?",
    account: "enterprise",
    calls: [{ tool: "get_server_status", args: { server_id: "Archipelago" } }],
    facts: [
      { at: "/current/regions/0/mspt", rest: "/servers/{Archipelago}/status", member: "/current/mspt" },
      { at: "/current/region_count", least: 2, most: 1000 },
    ],
  },
  {
    asks: "Draw me the tick times of Foundry SMP.",
    account: "hosting",
    calls: [
      {
        tool: "get_server_metrics",
        args: { server_id: "Foundry SMP", fields: ["mspt"], chart: true },
      },
    ],
    facts: [{ at: "/fields", is: ["mspt"] }],
    draws: true,
  },
  {
    asks: "Is Foundry SMP getting worse over the weeks?",
    account: "hosting",
    calls: [{ tool: "get_regression_verdict", args: { server_id: "Foundry SMP" } }],
    facts: [
      { at: "/verdict", is: "undecidable" },
      { at: "/reason", is: "no_runs" },
    ],
  },
  {
    asks: "Why can you not tell me how my server does?",
    account: "free",
    calls: [{ tool: "get_monitoring_overview", args: { include_unmonitored: true } }],
    facts: [
      { at: "/data/0/state", is: "not_monitored" },
      { at: "/data/0/monitoring/site_step", is: "off_plan_required" },
    ],
  },
  {
    asks: "Did any of my servers go down this week?",
    account: "free",
    calls: [{ tool: "list_alerts", args: { since: "-7d" } }],
    facts: [
      { at: "/data", is: [] },
      { at: "/connector_notes", has: "plan does not include monitoring" },
    ],
  },
  {
    asks: "What does MSPT mean?",
    account: "free",
    calls: [{ resource: "tickmark://guides/metrics" }],
    facts: [{ at: "", has: "milliseconds one tick takes on average" }],
  },
];
