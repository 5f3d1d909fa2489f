import { type Question } from "./question.ts";

const openAlerts = { tool: "list_alerts", args: { status: "open" } } as const;

/** Who is told of what, and when nobody is to be. Those that change something stand in the order of a day. */
export const aboutAlerts: readonly Question[] = [
  {
    asks: "Who was told about the slow ticks, and who was not?",
    account: "hosting",
    calls: [openAlerts],
    facts: [
      { at: "/data/[rule_name=Slow ticks]/delivery/in_app/status", is: "sent" },
      { at: "/data/[rule_name=Slow ticks]/delivery/email/status", is: "skipped" },
      { at: "/data/[rule_name=Slow ticks]/delivery/email/reason", is: "not_configured" },
      { at: "/data/[rule_name=Slow ticks]/delivery/chat/reason", is: "channel_off" },
    ],
  },
  {
    asks: "Creative is down and I got no mail. Why?",
    account: "pro",
    calls: [openAlerts],
    facts: [
      { at: "/data/0/server_name", is: "Evergreen Creative" },
      { at: "/data/0/metric", is: "offline" },
      { at: "/data/0/delivery/email/reason", is: "not_configured" },
    ],
  },
  {
    asks: "Did anybody get banned on Foundry SMP today?",
    account: "hosting",
    calls: [
      {
        tool: "list_server_events",
        args: {
          server_id: "Foundry SMP",
          category: "moderation",
          from: "2026-11-20T00:00:00Z",
        },
      },
    ],
    facts: [
      { at: "/data/0/type", is: "ban" },
      { at: "/data/0/metadata/by", is: "Admin_Jules" },
    ],
  },
  {
    asks: "Which alert rules watch Archipelago?",
    account: "enterprise",
    calls: [{ tool: "list_alert_rules", args: { server_id: "Archipelago" } }],
    facts: [
      { at: "/data/[name=Low TPS]/threshold", is: 15 },
      { at: "/data/[name=Server is down]/state", is: "ok" },
      { at: "/data/5/metric", rest: "/servers/{Archipelago}/alert-rules", member: "/data/5/metric" },
    ],
  },
  {
    asks: "Am I told when somebody is banned on Foundry SMP?",
    account: "hosting",
    calls: [{ tool: "list_event_alert_rules", args: { server_id: "Foundry SMP" } }],
    facts: [
      { at: "/data/[name=Bans]/enabled", is: true },
      { at: "/data/[name=Bans]/notify_email", is: true },
    ],
  },
  {
    asks: "Tell me when the TPS of Old Mill falls under 15.",
    account: "hosting",
    calls: [
      {
        tool: "create_alert_rule",
        args: {
          server_id: "Old Mill",
          name: "TPS under 15",
          metric: "tps",
          condition: "below",
          threshold: 15,
        },
      },
    ],
    facts: [
      { at: "/enabled", is: true },
      { at: "/notify_in_app", is: true },
    ],
    after: [
      { rest: "/servers/{Old Mill}/alert-rules", member: "/data/[name=TPS under 15]/threshold", is: 15 },
      { rest: "/servers/{Old Mill}/alert-rules", member: "/data/[name=TPS under 15]/metric", is: "tps" },
    ],
  },
  {
    asks: "Would a message about the slow ticks reach me? Try it.",
    account: "hosting",
    calls: [openAlerts, { tool: "test_alert_rule", args: { rule_id: { from: "/data/0/rule_id" } } }],
    facts: [
      { at: "/delivery/in_app/status", is: "sent" },
      { at: "/delivery/email/status", is: "skipped" },
    ],
  },
  {
    asks: "I have seen the slow ticks: acknowledge the alert.",
    account: "hosting",
    calls: [openAlerts, { tool: "acknowledge_alert", args: { alert_id: { from: "/data/0/id" } } }],
    facts: [{ at: "/acknowledged", is: true }],
    after: [{ rest: "/alert-events?status=open", member: "/data/0/acknowledged_by", is: "api" }],
  },
  {
    asks: "No more messages about the slow ticks for two hours.",
    account: "hosting",
    calls: [
      openAlerts,
      { tool: "update_alert_rule", args: { rule_id: { from: "/data/0/rule_id" }, mute_minutes: 120 } },
    ],
    facts: [{ at: "/muted_until", is: "2026-11-20T10:00:00.000Z" }],
    after: [
      {
        rest: "/servers/{Foundry SMP}/alert-rules",
        member: "/data/[name=Slow ticks]/muted_until",
        is: "2026-11-20T10:00:00.000Z",
      },
    ],
  },
  {
    asks: "Until when does the maintenance of Harbour last?",
    account: "enterprise",
    calls: [{ tool: "get_maintenance", args: { server_id: "Harbour" } }],
    facts: [
      { at: "/in_progress", is: true },
      { at: "/remaining_seconds", is: 160 * 60 },
      { at: "/reason", has: "anti-cheat" },
    ],
  },
  {
    asks: "Harbour is done: end the maintenance.",
    account: "enterprise",
    calls: [{ tool: "end_maintenance", args: { server_id: "Harbour" } }],
    facts: [{ at: "/ended", is: true }],
    after: [{ rest: "/servers/{Harbour}/maintenance", member: "/in_progress", is: false }],
  },
  {
    asks: "The backup of Night Owls runs tonight until four in the morning: wake nobody.",
    account: "enterprise",
    calls: [
      {
        tool: "start_maintenance",
        args: { server_id: "Night Owls", duration_minutes: 20 * 60, reason: "Backup" },
      },
    ],
    facts: [{ at: "/ends_at", is: "2026-11-21T04:00:00.000Z" }],
    after: [
      { rest: "/servers/{Night Owls}/maintenance", member: "/in_progress", is: true },
      { rest: "/servers/{Night Owls}/maintenance", member: "/reason", is: "Backup" },
    ],
  },
  {
    asks: "What did my assistants change on Night Owls?",
    account: "enterprise",
    calls: [{ tool: "list_server_events", args: { server_id: "Night Owls", type: "maintenance_start" } }],
    facts: [{ at: "/data/0/metadata/token", is: "Demo" }],
  },
];
