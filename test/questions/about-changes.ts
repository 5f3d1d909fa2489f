import type { Question } from "./question.ts";

const comparison = "/servers/{Foundry SMP}/metrics/compare?base=previous&fields=mspt";
const compare = {
  tool: "compare_periods",
  args: { server_id: "Foundry SMP", base: "previous", fields: ["mspt"] },
} as const;

/** What changed, what ran when, and what would have happened. */
export const aboutChanges: readonly Question[] = [
  {
    asks: "What changed on Foundry SMP before it became slow?",
    account: "hosting",
    calls: [
      {
        tool: "list_server_events",
        args: { server_id: "Foundry SMP", type: "plugin_updated", from: "-24h" },
      },
    ],
    facts: [
      { at: "/data/0/metadata/subject", is: "MarketStalls" },
      { at: "/data/0/metadata/to", is: "2.10.1" },
      { at: "/data/1", absent: true },
    ],
  },
  {
    asks: "What happened last night on all my servers?",
    account: "enterprise",
    calls: [{ tool: "list_account_events", args: { from: "-12h", category: "lifecycle" } }],
    facts: [
      {
        at: "/data/[type=server_crash]/id",
        rest: "/monitoring/events?from=-12h&type=server_crash",
        member: "/data/0/id",
      },
      { at: "/data/[type=server_crash]/server_name", is: "Lighthouse" },
      { at: "/data/[server_name=Quarry]/type", is: "server_start" },
    ],
  },
  {
    asks: "Would a rule on 40 ms have fired yesterday?",
    account: "hosting",
    calls: [
      {
        tool: "preview_alert_rule",
        args: { server_id: "Foundry SMP", metric: "mspt", condition: "above", threshold: 40, days: 1 },
      },
    ],
    facts: [
      { at: "/episodes_total", is: 1 },
      {
        at: "/minutes_in_alert",
        rest: "/servers/{Foundry SMP}/alert-rules/preview?metric=mspt&condition=above&threshold=40&days=1",
        member: "/minutes_in_alert",
      },
    ],
  },
  {
    asks: "How does this week compare with last week on Foundry SMP?",
    account: "hosting",
    calls: [compare],
    facts: [
      { at: "/fields/0/verdict", rest: comparison, member: "/fields/0/verdict" },
      { at: "/fields/0/shift", rest: comparison, member: "/fields/0/shift" },
      { at: "/fields/0/load_adjusted", is: true },
    ],
  },
  {
    asks: "How many players can Foundry SMP hold?",
    account: "hosting",
    calls: [compare],
    facts: [{ at: "/capacity/target/limits", rest: comparison, member: "/capacity/target/limits" }],
  },
  {
    asks: "Which of my servers run an old version of MarketStalls?",
    account: "pro",
    calls: [{ tool: "list_account_software", args: { name: "MarketStalls" } }],
    facts: [
      { at: "/data/0/version", is: "2.10.0" },
      { at: "/data/0/on/0/name", is: "Evergreen Creative" },
      { at: "/data/1/on/0/name", is: "Evergreen Survival" },
    ],
  },
  {
    asks: "Which server has the oldest Java?",
    account: "hosting",
    calls: [{ tool: "list_account_software", args: { part: "java" } }],
    facts: [
      { at: "/data/0/version", is: "17.0.15" },
      { at: "/data/0/on/0/name", is: "Old Mill" },
    ],
  },
  {
    asks: "Which mods run on Old Mill, and with which Java?",
    account: "hosting",
    calls: [{ tool: "get_server_software", args: { server_id: "Old Mill" } }],
    facts: [
      { at: "/mods/0/name", rest: "/servers/{Old Mill}/software", member: "/mods/0/name" },
      { at: "/mods/1", absent: true },
      { at: "/java/version", is: "17.0.15" },
    ],
  },
  {
    asks: "Which rule was the noisiest this week?",
    account: "enterprise",
    calls: [{ tool: "list_alerts", args: { since: "-7d" } }],
    facts: [
      { at: "/connector_notes/0", has: "2 alerts in this window" },
      {
        at: "/data/0/rule_name",
        rest: "/alert-events?since=2026-11-13T08:00:00Z",
        member: "/data/0/rule_name",
      },
    ],
  },
];
