import type { SessionCaller } from "../../../contract/call/caller.ts";
import { AlertStatus, type Alert } from "../../../core/alert/alert.ts";
import { AlertChannel } from "../../../core/alert/delivery.ts";
import { keptMs } from "../../../core/job/kept-for.ts";
import { dayMs } from "../../../core/time.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { acknowledgeAlert } from "../../../endpoints/api/alert/acknowledge-alert.ts";
import { listAlerts } from "../../../endpoints/api/alert/list-alerts.ts";
import { getMonitoringOverview } from "../../../endpoints/api/monitoring/get-monitoring-overview.ts";
import { listNotices } from "../../../actions/notice/list-notices.ts";
import { chosen, typed } from "../../form-values.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../page.ts";
import { AlertItem } from "../../parts/alert.tsx";
import { PlanNotice } from "../../parts/plan.tsx";
import { EmptyList, type Kept } from "../../parts/empty-list.tsx";
import { Empty } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";
import { AlertFilters, type ServerChoice } from "./filters.tsx";

/** Alerts in progress first, then those that ended. */
export const alertsPage = personPage({ path: "/alerts", show, actions: { acknowledge } });

/** Those that the page reads from its address. */
const filters = ["status", "server_id", "rule_name", "notified", "channel"];

const kept: Kept = { days: keptMs.resolvedAlert / dayMs, by: "service" };

/** The longest page that the endpoint answers. */
const inProgressAtMost = 100;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { query, now, person, plans } = request;
  const [overview, notices, lists] = await Promise.all([
    request.call(getMonitoringOverview, { include_unmonitored: true }),
    request.call(listNotices, { limit: 1 }),
    readLists(request),
  ]);
  const servers = overview.data.map(({ server_id, name }) => ({ id: server_id, name }));
  const { open, past, isFiltered } = lists;
  const nothing = past.data.length === 0 && (open === null || open.data.length === 0);
  return {
    title: "Alerts",
    body: (
      <>
        <div class="title">
          <h1>Alerts</h1>
          <a href="/notices">Notices{notices.unread > 0 && ` (${notices.unread} unread)`}</a>
        </div>
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Alerts are part of monitoring. Without it no rule raises an alert. Earlier alerts stay readable.
        </PlanNotice>
        {(servers.length > 0 || isFiltered) && <AlertFilters servers={servers} query={query} />}
        {nothing ? (
          <EmptyList query={query} now={now} one="alert" all="/alerts" filters={filters} kept={kept}>
            <NothingYet servers={servers} hasPlan={planIncludes(person.limits, "monitoring")} />
          </EmptyList>
        ) : (
          <>
            {open && (
              <AlertList title="In progress" none="No alert is in progress." alerts={open.data} now={now} />
            )}
            {open?.page.has_more && (
              <p>
                These are the newest {inProgressAtMost}. <a href="/alerts?status=open">All in progress</a>
              </p>
            )}
            <AlertList title={open ? "Ended" : "Found"} none="There are none." alerts={past.data} now={now} />
            <NextPage cursor={past.page.cursor} query={query} />
          </>
        )}
      </>
    ),
  };
}

/** Without a status filter the first page has two lists; other pages have one. */
async function readLists(request: PageRequest<SessionCaller>) {
  const { query } = request;
  const status = chosen(AlertStatus, query, "status");
  const server_id = typed(query, "server_id");
  const rule_name = typed(query, "rule_name");
  const cursor = typed(query, "cursor");
  const notified = typed(query, "notified");
  const channel = chosen(AlertChannel, query, "channel");
  const filter = {
    ...(server_id !== undefined && { server_id }),
    ...(rule_name !== undefined && { rule_name }),
    ...(notified !== undefined && { notified: notified === "yes" }),
    ...(channel !== undefined && { channel }),
  };
  const [open, past] = await Promise.all([
    status === undefined && cursor === undefined
      ? request.call(listAlerts, { ...filter, status: "open", limit: inProgressAtMost })
      : null,
    request.call(listAlerts, {
      ...filter,
      status: status ?? "resolved",
      ...(cursor !== undefined && { cursor }),
    }),
  ]);
  return {
    open,
    past,
    isFiltered: status !== undefined || cursor !== undefined || Object.keys(filter).length > 0,
  };
}

interface ListProps {
  readonly title: string;
  readonly none: string;
  readonly alerts: readonly Alert[];
  readonly now: number;
}

function AlertList({ title, none, alerts, now }: ListProps) {
  return (
    <section class="stack">
      <h2>{title}</h2>
      {alerts.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <ol class="list">
          {alerts.map((alert) => (
            <AlertItem key={alert.id} alert={alert} now={now} />
          ))}
        </ol>
      )}
    </section>
  );
}

const whatAlertsAre =
  "A rule of a server raises an alert. Alerts in progress will stand here first, then those that ended, each with who was notified.";

/** A page without alerts tells what to do first. */
function NothingYet({ servers, hasPlan }: { servers: readonly ServerChoice[]; hasPlan: boolean }) {
  const [first] = servers;
  if (!first)
    return (
      <Empty
        title="No alerts yet"
        next={
          <p>
            <a href="/servers#link">Link a server</a>, then create a rule for it.
          </p>
        }
      >
        <p>{whatAlertsAre}</p>
      </Empty>
    );
  return (
    <Empty
      title="No alerts yet"
      next={
        hasPlan ? (
          <a href={`/servers/${first.id}/rules`}>Look at the rules of your newest server</a>
        ) : (
          <a href={`/servers/${first.id}`}>Open your newest server</a>
        )
      }
    >
      <p>{whatAlertsAre}</p>
    </Empty>
  );
}

async function acknowledge(sent: Submission<SessionCaller>): Promise<ActionResult> {
  await sent.call(acknowledgeAlert, { alert_id: sent.form.get("alert_id") ?? "" });
  return { to: sent.url };
}
