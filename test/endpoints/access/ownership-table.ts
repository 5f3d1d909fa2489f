import { additionCells } from "./ownership-additions.ts";
import { autoBenchCells, type AutoBenchThings } from "./ownership-auto-bench.ts";
import type { Captures } from "../../support/captures.ts";
import { captureCells } from "./ownership-captures.ts";
import { catalogueCells } from "./ownership-catalogue.ts";

export const whose = ["own", "foreign", "absent"] as const;
export type Whose = (typeof whose)[number];
export const roles = ["user", "admin", "suspended"] as const;

/** The ids of one account's things, or ids nobody has. */
export interface Things extends AutoBenchThings, Captures {
  readonly account: string;
  readonly server: string;
  readonly group: string;
  readonly report: string;
  readonly unitTest: string;
  readonly code: string;
  readonly rule: string;
  readonly alert: string;
}

/** A route as asked about somebody's things, and its status for own, foreign and absent ones by role. */
export interface Cell {
  readonly route: string;
  readonly ask: (things: Things) => readonly [path: string, body?: unknown];
  readonly user: string;
  readonly admin: string;
  readonly suspended: string;
}

const never = "403 403 403";

/** The rule each account has, and makes again. */
export const lowTps = {
  name: "Low TPS",
  metric: "tps",
  condition: "below",
  threshold: 18,
  duration_minutes: 0,
};

/** Suspended accounts hold no scope, so existence never comes into question. */
export const table: readonly Cell[] = [
  {
    route: "reports.list",
    ask: ({ server }) => [`/reports?server_id=${server}`],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "reports.get",
    ask: ({ report }) => [`/reports/${report}`],
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    route: "reports.compare",
    ask: ({ report }) => [`/reports/compare?base=${report}&other=${report}`],
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    route: "reports.diagnosis",
    ask: ({ report }) => [`/reports/${report}/diagnosis`],
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    route: "reports.tuning",
    ask: ({ report }) => [`/reports/${report}/tuning`],
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    // A report may stand on one side alone, and no server is a report.
    route: "reports.before_after",
    ask: ({ report, server }) => [`/reports/before-after?before=${report}&after=${server}&target=total`],
    user: "404 404 404",
    admin: "404 404 404",
    suspended: never,
  },
  ...additionCells,
  ...catalogueCells,
  ...autoBenchCells,
  ...captureCells,
  {
    route: "token.get",
    ask: () => ["/token"],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: "200 200 200",
  },
  {
    route: "servers.list",
    ask: ({ account }) => [`/servers?owner=${account}`],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "servers.regression",
    ask: ({ server }) => [`/servers/${server}/regression`],
    user: "200 404 404",
    admin: "200 200 404",
    suspended: never,
  },
  {
    route: "server_groups.list",
    ask: () => ["/server-groups"],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "servers.status",
    ask: ({ server }) => [`/servers/${server}/status`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "metrics.get",
    ask: ({ server }) => [`/servers/${server}/metrics`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "events.list",
    ask: ({ server }) => [`/servers/${server}/events`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "monitoring.overview",
    ask: () => ["/monitoring/overview"],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "monitoring.availability",
    ask: () => ["/monitoring/availability"],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "alert_rules.list_all",
    ask: () => ["/monitoring/alert-rules"],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "maintenance.get",
    ask: ({ server }) => [`/servers/${server}/maintenance`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "event_alert_rules.list",
    ask: ({ server }) => [`/servers/${server}/event-alert-rules`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "alert_rules.list",
    ask: ({ server }) => [`/servers/${server}/alert-rules`],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "alerts.list",
    ask: ({ server }) => [`/alert-events?server_id=${server}`],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "servers.update",
    ask: ({ server }) => [`/servers/${server}`, { name: "Lobby" }],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
  {
    route: "server_groups.create",
    ask: () => ["/server-groups", { name: "A" }],
    user: "200 200 200",
    admin: "200 200 200",
    suspended: never,
  },
  {
    route: "server_groups.update",
    ask: ({ group }) => [`/server-groups/${group}`, { color: "red" }],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "servers.set_group",
    ask: ({ server }) => [`/servers/${server}/group`, { group_id: null }],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
  {
    route: "servers.link",
    ask: ({ code }) => ["/servers/link", { code }],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "reports.update",
    ask: ({ report }) => [`/reports/${report}`, { description: "calm" }],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
  {
    route: "alert_rules.create",
    ask: ({ server }) => [`/servers/${server}/alert-rules`, lowTps],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
  {
    route: "alert_rules.update",
    ask: ({ rule }) => [`/alert-rules/${rule}`, { cooldown_minutes: 5 }],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "alert_rules.test",
    ask: ({ rule }) => [`/alert-rules/${rule}/test`, {}],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "alerts.acknowledge",
    ask: ({ alert }) => [`/alert-events/${alert}/acknowledge`, {}],
    user: "200 404 404",
    admin: "200 404 404",
    suspended: never,
  },
  {
    route: "maintenance.start",
    ask: ({ server }) => [`/servers/${server}/maintenance`, { duration_minutes: 5 }],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
  {
    route: "maintenance.end",
    ask: ({ server }) => [`/servers/${server}/maintenance/end`, {}],
    user: "200 404 404",
    admin: "200 403 404",
    suspended: never,
  },
];
