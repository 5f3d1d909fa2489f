import type { Question } from "./question.ts";

const diagnose = (server: string, period: Readonly<Record<string, string>> = {}) =>
  ({ tool: "diagnose_server", args: { server_id: server, ...period } }) as const;
const fleet = { tool: "diagnose_fleet" } as const;

/** A member of the answer about a server's health that REST gives as well. */
const asRest = (server: string, member: string) =>
  ({ at: member, rest: `/servers/{${server}}/health`, member }) as const;

/** What is wrong, since when, and what to do. */
export const aboutWhatIsWrong: readonly Question[] = [
  {
    asks: "What is wrong with my server?",
    account: "hosting",
    calls: [diagnose("Foundry SMP")],
    facts: [
      asRest("Foundry SMP", "/verdict"),
      asRest("Foundry SMP", "/since"),
      asRest("Foundry SMP", "/headline/text"),
      { at: "/findings/0/code", is: "tick_over_budget" },
      { at: "/findings/[code=plugin_grew]/subject", is: "MarketStalls" },
    ],
  },
  {
    asks: "Since when is Foundry SMP slower than it used to be?",
    account: "hosting",
    calls: [diagnose("Foundry SMP")],
    facts: [
      asRest("Foundry SMP", "/findings/[code=slower_than_usual]/since"),
      asRest("Foundry SMP", "/findings/[code=slower_than_usual]/evidence/1/value"),
    ],
  },
  {
    asks: "Which plugin costs more since Foundry SMP became slow?",
    account: "hosting",
    calls: [
      diagnose("Foundry SMP"),
      {
        tool: "compare_profiles",
        args: {
          server_id: "Foundry SMP",
          base: { from: "/findings/[code=slower_than_usual]/next/0/arguments/base" },
          target: { from: "/findings/[code=slower_than_usual]/next/0/arguments/target" },
          top: 2,
        },
      },
    ],
    facts: [
      { at: "/owners/[owner=MarketStalls]/status", is: "up" },
      { at: "/owners/[owner=MarketStalls]/beyond_noise", is: true },
    ],
  },
  {
    asks: "When will the heap of Foundry SMP be full?",
    account: "hosting",
    calls: [diagnose("Foundry SMP")],
    facts: [
      { at: "/findings/[code=memory_growing]/evidence/0/key", is: "hours_until_heap_near_full" },
      asRest("Foundry SMP", "/findings/[code=memory_growing]/evidence/0/value"),
    ],
  },
  {
    asks: "Did anybody get told about the open alert of Foundry SMP?",
    account: "hosting",
    calls: [diagnose("Foundry SMP"), { tool: "list_alerts", args: { status: "open" } }],
    facts: [
      { of: 0, at: "/findings/[code=in_app_only]/next/0/action", is: "check_notifications" },
      { at: "/data/0/delivery/email/reason", is: "not_configured" },
      { at: "/data/0/delivery/in_app/status", is: "sent" },
    ],
  },
  {
    asks: "Was Foundry SMP fine yesterday evening?",
    account: "hosting",
    calls: [diagnose("Foundry SMP", { from: "2026-11-19T18:00:00Z", to: "2026-11-19T22:00:00Z" })],
    facts: [
      {
        at: "/verdict",
        rest: "/servers/{Foundry SMP}/health?from=2026-11-19T18:00:00Z&to=2026-11-19T22:00:00Z",
        member: "/verdict",
      },
      { at: "/findings/[code=slower_than_usual]", absent: true },
    ],
  },
  {
    asks: "What was the uptime of Foundry SMP this month?",
    account: "hosting",
    calls: [diagnose("Foundry SMP", { from: "2026-11-01", to: "now" })],
    facts: [
      {
        at: "/availability/percent",
        rest: "/servers/{Foundry SMP}/health?from=2026-11-01T00:00:00Z&to=2026-11-20T08:00:00Z",
        member: "/availability/percent",
      },
      {
        at: "/availability/unmonitored_seconds",
        rest: "/servers/{Foundry SMP}/health?from=2026-11-01T00:00:00Z&to=2026-11-20T08:00:00Z",
        member: "/availability/unmonitored_seconds",
      },
    ],
  },
  {
    asks: "Are all my servers well?",
    account: "pro",
    calls: [fleet],
    facts: [
      { at: "/data/[name=Evergreen Survival]/verdict", is: "healthy" },
      { at: "/data/[name=Evergreen Creative]/verdict", is: "stopped" },
      { at: "/totals", rest: "/monitoring/health", member: "/totals" },
    ],
  },
  {
    asks: "Which of my servers are down?",
    account: "enterprise",
    calls: [fleet],
    facts: [
      { at: "/totals/down", is: 2 },
      { at: "/data/[name=Lighthouse]/reasons/0", is: "server_down" },
      { at: "/data/[name=Quarry]/reasons/0", is: "server_unresponsive" },
      { at: "/data/0/since", rest: "/monitoring/health", member: "/data/0/since" },
    ],
  },
  {
    asks: "Is anything about to run out of memory?",
    account: "enterprise",
    calls: [fleet],
    facts: [
      { at: "/data/[name=Cannery]/reasons/0", is: "heap_near_full" },
      { at: "/data/[name=Smithy]/reasons/0", is: "container_near_limit" },
      {
        at: "/data/[name=Cannery]/headline/text",
        rest: "/servers/{Cannery}/health",
        member: "/headline/text",
      },
    ],
  },
  {
    asks: "What should I do next about Lighthouse?",
    account: "enterprise",
    calls: [diagnose("Lighthouse")],
    facts: [
      { at: "/verdict", is: "down" },
      { at: "/findings/0/next/0/action", is: "start_server" },
      { at: "/findings/[code=no_alert_rules]/next/0/tool", is: "create_alert_rule" },
    ],
  },
  {
    asks: "How often did Lighthouse crash in the last 24 hours?",
    account: "enterprise",
    calls: [
      { tool: "list_server_events", args: { server_id: "Lighthouse", type: "server_crash", from: "-24h" } },
    ],
    facts: [
      { at: "/data/1/type", is: "server_crash" },
      { at: "/data/2", absent: true },
      { at: "/data/0/id", rest: "/servers/{Lighthouse}/events?type=server_crash", member: "/data/0/id" },
    ],
  },
  {
    asks: "Why does Quarry not answer?",
    account: "enterprise",
    calls: [diagnose("Quarry")],
    facts: [
      asRest("Quarry", "/headline/text"),
      asRest("Quarry", "/findings/[code=server_unresponsive]/since"),
      { at: "/findings/[code=data_missing]/severity", is: "warning" },
    ],
  },
  {
    asks: "Is it the machine or the server, on Smithy?",
    account: "enterprise",
    calls: [diagnose("Smithy")],
    facts: [
      { at: "/findings/[code=noisy_machine]/evidence/1/key", is: "used_by_others" },
      asRest("Smithy", "/findings/[code=noisy_machine]/evidence/1/value"),
      asRest("Smithy", "/findings/[code=cpu_throttled]/evidence/0/value"),
    ],
  },
  {
    asks: "What is too small for Cannery?",
    account: "enterprise",
    calls: [diagnose("Cannery")],
    facts: [
      { at: "/findings/0/code", is: "heap_near_full" },
      { at: "/findings/0/next/0/action", is: "raise_heap" },
      asRest("Cannery", "/findings/[code=machine_saturated]/evidence/0/value"),
      asRest("Cannery", "/findings/[code=gc_heavy]/evidence/0/value"),
    ],
  },
  {
    asks: "What does Archipelago have more of than usual?",
    account: "enterprise",
    calls: [diagnose("Archipelago")],
    facts: [
      { at: "/findings/[code=more_than_usual]/evidence/0/key", is: "entity_count_median" },
      asRest("Archipelago", "/findings/[code=more_than_usual]/evidence/0/value"),
      asRest("Archipelago", "/findings/[code=more_than_usual]/since"),
    ],
  },
];
