import { overview, type Question } from "./question.ts";

/** What the prompts about running servers ask. */
export const aboutPrompts: readonly Question[] = [
  {
    asks: "/explain_lag Foundry SMP, yesterday from 20:00 to 22:00 UTC",
    account: "hosting",
    prompt: {
      name: "explain_lag",
      args: { server: { typed: "foundry" }, period: "yesterday from 20:00 to 22:00 UTC" },
    },
    calls: [
      {
        tool: "diagnose_server",
        args: {
          server_id: { prompted: "server" },
          from: "2026-11-19T20:00:00Z",
          to: "2026-11-19T22:00:00Z",
        },
      },
      { tool: "list_profile_summaries", args: { server_id: { prompted: "server" }, days: 2 } },
    ],
    facts: [
      {
        of: 0,
        at: "/verdict",
        rest: "/servers/{Foundry SMP}/health?from=2026-11-19T20:00:00Z&to=2026-11-19T22:00:00Z",
        member: "/verdict",
      },
      { at: "/data/0/summary/key_points/0/owner", is: "MarketStalls" },
    ],
  },
  {
    asks: "/did_my_change_help Foundry SMP",
    account: "hosting",
    prompt: {
      name: "did_my_change_help",
      args: { server: { typed: "foundry" }, change: "seven days ago: fewer monsters" },
    },
    calls: [
      {
        tool: "compare_periods",
        args: {
          server_id: { prompted: "server" },
          base_from: "-14d",
          base_to: "-7d",
          target_from: "-7d",
          target_to: "now",
          fields: ["mspt"],
        },
      },
    ],
    // It became slower three hours ago, long after that change.
    facts: [{ at: "/fields/0/verdict", is: "no_difference" }],
  },
  {
    asks: "/choose_alert_rule Foundry SMP",
    account: "hosting",
    prompt: {
      name: "choose_alert_rule",
      args: { server: { typed: "foundry" }, wish: "when ticks are slow for five minutes" },
    },
    calls: [
      {
        tool: "preview_alert_rule",
        args: {
          server_id: { prompted: "server" },
          metric: "mspt",
          condition: "above",
          threshold: 40,
          duration_minutes: 5,
          days: 1,
        },
      },
    ],
    facts: [
      {
        at: "/episodes",
        rest: "/servers/{Foundry SMP}/alert-rules/preview?metric=mspt&condition=above&threshold=40&duration_minutes=5&days=1",
        member: "/episodes",
      },
    ],
  },
  {
    asks: "/health_check Foundry SMP",
    account: "hosting",
    prompt: { name: "health_check", args: { server: { typed: "Foundry SMP" } } },
    calls: [{ tool: "diagnose_server", args: { server_id: { prompted: "server" } } }],
    facts: [
      { at: "/verdict", rest: "/servers/{Foundry SMP}/health", member: "/verdict" },
      { at: "/findings/0/code", rest: "/servers/{Foundry SMP}/health", member: "/findings/0/code" },
    ],
  },
  {
    asks: "/weekly_review",
    account: "hosting",
    prompt: { name: "weekly_review", args: {} },
    calls: [overview, { tool: "list_alerts", args: { since: "-7d", limit: 25 } }],
    facts: [
      { of: 0, at: "/totals/servers", is: 3 },
      { at: "/data/[rule_name=Slow ticks]/notified", is: true },
      { at: "/data/[rule_name=Bans]/event/type", is: "ban" },
    ],
  },
];
