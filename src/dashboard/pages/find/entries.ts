import type { SessionCaller } from "../../../contract/call/caller.ts";
import { visible } from "../../../core/text/plain-words.ts";
import { listAlerts } from "../../../endpoints/api/alert/list-alerts.ts";
import { getMonitoringOverview } from "../../../endpoints/api/monitoring/get-monitoring-overview.ts";
import { listReports } from "../../../endpoints/api/report/list-reports.ts";
import type { PageRequest } from "../../page.ts";
import type { FoundEntry } from "../../scripts/palette/rank.ts";
import { lateNowOf } from "../../../core/health/late-now.ts";
import { shownVerdictOf } from "../../words/late-now.ts";
import { clock } from "../../parts/value.tsx";
import { reportNamesOf, reportAbout, reportTitle } from "../reports/report-name.tsx";

const page = (name: string, href: string, about = ""): FoundEntry => ({ kind: "page", name, about, href });
const action = (name: string, href: string, about = ""): FoundEntry => ({
  kind: "action",
  name,
  about,
  href,
});

const pages: readonly FoundEntry[] = [
  page("Servers", "/servers", "fleet"),
  page("Alerts", "/alerts"),
  page("Notices", "/notices", "inbox, messages"),
  page("Status pages", "/status-pages", "public, badge"),
  page("Weekly digest", "/digest"),
  page("Reports", "/reports", "benchmarks"),
  page("Unit tests", "/unit-tests"),
  page("Auto-bench", "/auto-bench", "scheduled benchmarks"),
  page("Offers", "/offers", "hosting"),
  page("Documentation", "/docs", "guides, API reference"),
  page("Account", "/settings", "e-mail, password, plan"),
  page("Notifications", "/settings/notifications", "mail, chat, webhook"),
  page("Security", "/settings/security", "tokens, sessions"),
  page("Display", "/settings/display", "theme, dark, time zone, clock"),
  page("Shared profiles", "/settings/security/profile-links", "links, revoke"),
  page("Activity", "/settings/security/activity", "what tokens did"),
  action("Link a server", "/servers#link", "add, agent, plugin"),
  action("Create an API token", "/settings/security", "connector, assistant"),
  action("Compare two reports", "/reports/compare"),
  action("Availability of all servers", "/servers/availability", "how long each was up and down"),
  action("What changed on all servers", "/servers/changes", "software, settings, health"),
  action("Compare two servers", "/servers/compare", "one chart, two periods"),
  action("Judge a change", "/reports/before-after", "before and after"),
  action("Sign out", "/sign-out"),
];

/** The most reports and alerts among the entries. */
const reportsAtMost = 25;
const alertsAtMost = 50;

/** Servers with their pages, other pages, alerts in progress, and own reports. */
export async function readFindable(request: PageRequest<SessionCaller>): Promise<FoundEntry[]> {
  const [{ data: servers }, alerts, reports] = await Promise.all([
    request.call(getMonitoringOverview, { include_unmonitored: true }),
    request.call(listAlerts, { status: "open", limit: alertsAtMost }),
    request.call(listReports, { mine: true, limit: reportsAtMost }),
  ]);
  const reportNames = await reportNamesOf(
    request,
    reports.data.map(({ id }) => id),
  );
  const names = new Map(
    servers.map(({ server_id, name }) => [server_id, visible(name ?? "Server without a name")]),
  );
  return [
    ...servers.map((status): FoundEntry => ({
      kind: "server",
      name: names.get(status.server_id) ?? "",
      about: shownVerdictOf(status.health.verdict, lateNowOf(status, request.now)),
      href: `/servers/${status.server_id}`,
    })),
    ...pages,
    ...alerts.data.map(({ id, rule_name, server_id, opened_at }): FoundEntry => ({
      kind: "alert",
      name: visible(rule_name),
      about: `${names.get(server_id ?? "") ?? "server no longer here"}, ${clock(opened_at)}`,
      href: `/alerts/${id}`,
    })),
    ...reports.data.map((report): FoundEntry => ({
      kind: "report",
      name: visible(reportTitle(report, reportNames)),
      about: visible(reportAbout(report, reportNames)),
      href: `/reports/${report.short_id}`,
    })),
    ...[...names].flatMap(([id, name]): FoundEntry[] => [
      { kind: "charts", name, about: "", href: `/servers/${id}/charts` },
      { kind: "timeline", name, about: "events", href: `/servers/${id}/timeline` },
      { kind: "rules", name, about: "alert rules", href: `/servers/${id}/rules` },
      { kind: "periods", name, about: "compare two periods", href: `/servers/${id}/periods` },
      { kind: "profiles", name, about: "", href: `/servers/${id}/profiles` },
      { kind: "settings", name, about: "server settings", href: `/servers/${id}/settings` },
    ]),
  ];
}
