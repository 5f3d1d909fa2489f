import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import type { Alert } from "../../../../core/alert/alert.ts";
import { EventCategory } from "../../../../core/event/server-event.ts";
import { dayMs, toTimestamp } from "../../../../core/time.ts";
import { listAlerts } from "../../../../endpoints/api/alert/list-alerts.ts";
import { listServerEvents } from "../../../../endpoints/api/event/list-server-events.ts";
import { diagnoseServer } from "../../../../endpoints/api/health/diagnose-server.ts";
import { getMaintenance } from "../../../../endpoints/api/maintenance/get-maintenance.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { getRegressionVerdict } from "../../../../endpoints/api/server/get-regression-verdict.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { listRecurringMaintenance } from "../../../../endpoints/web/maintenance/list-recurring-maintenance.ts";
import { getCaptureState } from "../../../../endpoints/web/server/get-capture-state.ts";
import { personPage, type FormProblem, type PageContent, type PageRequest } from "../../../page.ts";
import { LivePart } from "../../../parts/live-part.tsx";
import { nullIfRefused } from "../../../parts/null-if-refused.ts";
import { Notice } from "../../../parts/state.tsx";
import { ServerTabs } from "../../../parts/tabs.tsx";
import { Text } from "../../../parts/value.tsx";
import { chartFields, Charts } from "./charts.tsx";
import { HealthCard } from "./health/health-card.tsx";
import { HealthPeriod } from "./health/health-period.tsx";
import { LiveState } from "./live.tsx";
import { MaintenanceCard } from "./maintenance.tsx";
import { maintenanceActions } from "./maintenance-actions.ts";
import { RecurringMaintenanceCard } from "./recurring-maintenance.tsx";
import { annotationsOf, maintenancePeriods } from "./chart-annotations.ts";
import { OpenAlerts } from "./open-alerts.tsx";
import { choosePeriod, type Chosen } from "./period.ts";
import { Regression } from "./regression.tsx";
import { softwareCard } from "./software.tsx";
import { Timeline } from "./timeline.tsx";

/** One server: its health and state, alerts, charts, regression verdict, timeline and maintenance. */
export const serverNowPage = personPage({
  path: "/servers/{id}",
  show,
  parts: { now: async (request) => (await readNow(request)).content },
  actions: maintenanceActions,
});

/** The largest numbers of points and marks of a chart. */
const points = 400;
const marksAtMost = 100;

const refused = ["plan_required", "retention_exceeded"] as const;

async function show(request: PageRequest<SessionCaller>, problem: FormProblem | null): Promise<PageContent> {
  const { now, query } = request;
  const server_id = request.params["id"] ?? "";
  const isMonitoring = planIncludes(request.person.limits, "monitoring");
  const chosen = isMonitoring ? choosePeriod(query.get("range"), request.person.limits.retention_days) : null;
  // The live part comes first and alone: it refuses a server of another account.
  const { content, capture, maintenance, health } = await readNow(request);
  const { server_name: name, sender } = capture;
  const [verdict, timeline, drawn, longer, recurring] = await Promise.all([
    nullIfRefused(["server_not_verified"], request.call(getRegressionVerdict, { server_id })),
    readTimeline(request, server_id),
    chosen && readDrawn(request, server_id, chosen),
    readLongerHealth(request, server_id, chosen),
    isMonitoring ? request.call(listRecurringMaintenance, { server_id }) : null,
  ]);
  const shownHealth = longer ?? health;
  return {
    title: name ?? "Server without a name",
    scripts: ["charts.js"],
    styles: ["uplot.css"],
    body: (
      <>
        <h1>
          <Text value={name} none="Server without a name" />
        </h1>
        <ServerTabs id={server_id} />
        <LivePart of="now">{content}</LivePart>
        {chosen && drawn?.series && (
          <Charts
            id={server_id}
            series={drawn.series}
            chosen={chosen}
            retentionDays={request.person.limits.retention_days}
            marks={annotationsOf(drawn.alerts, drawn.events)}
            shades={maintenancePeriods(maintenance, drawn.events, Math.round(now / 1000))}
          />
        )}
        {shownHealth && <HealthPeriod health={shownHealth} now={now} />}
        <Regression verdict={verdict} sender={sender} />
        {await softwareCard(request, server_id)}
        <div class="aside-columns">
          {timeline && <Timeline {...timeline} query={query} now={now} />}
          {recurring && (
            <div class="stack">
              <MaintenanceCard maintenance={maintenance} now={now} />
              <RecurringMaintenanceCard
                recurring={recurring.data}
                edit={query.get("edit_maintenance")}
                isNew={query.has("new_maintenance") || problem?.action === "create-recurring"}
              />
            </div>
          )}
        </div>
      </>
    ),
  };
}

/** Reads and renders what is renewed while the page is open: the server's health, state, maintenance and open alerts. */
async function readNow(request: PageRequest<SessionCaller>) {
  const { now, person } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  const status = await request.call(getServerStatus, { server_id });
  const [capture, maintenance, open, health] = await Promise.all([
    request.call(getCaptureState, { server_id }),
    request.call(getMaintenance, { server_id }),
    request.call(listAlerts, { server_id, status: "open" }),
    nullIfRefused(refused, request.call(diagnoseServer, { server_id })),
  ]);
  const { sender } = capture;
  const content = (
    <>
      {health && <HealthCard health={health} sender={sender} now={now} />}
      <LiveState status={status} sender={sender} health={health} now={now} />
      {!planIncludes(person.limits, "monitoring") && <WithoutMonitoring plan={person.account.plan} />}
      {maintenance.in_progress && (
        <Notice means="silenced">
          <a href="#maintenance">Maintenance is in progress</a>: alerts are recorded, and nobody is notified.
        </Notice>
      )}
      <OpenAlerts id={server_id} alerts={open.data} now={now} />
    </>
  );
  return { content, capture, maintenance, health };
}

function WithoutMonitoring({ plan }: { plan: string }) {
  return (
    <Notice>
      The {plan} plan does not include monitoring, so there are no charts, no timeline and no maintenance.
      Benchmark reports, profiles and memory reports of this server are still accepted.
    </Notice>
  );
}

/** One page of the timeline. An unknown category is ignored. */
async function readTimeline(request: PageRequest<SessionCaller>, server_id: string) {
  const category = EventCategory.safeParse(request.query.get("category")).data ?? null;
  const cursor = request.query.get("cursor");
  const page = await nullIfRefused(
    refused,
    request.call(listServerEvents, {
      server_id,
      limit: 25,
      ...(category !== null && { category }),
      ...(cursor !== null && { cursor }),
    }),
  );
  return page && { events: page.data, cursor: page.page.cursor, category };
}

/** The server's health over the chosen period; null if that is not longer than the usual one. */
async function readLongerHealth(
  request: PageRequest<SessionCaller>,
  server_id: string,
  chosen: Chosen | null,
) {
  const [range, , length] = chosen?.preset ?? [];
  if (length === undefined || length <= dayMs) return null;
  return nullIfRefused(refused, request.call(diagnoseServer, { server_id, range }));
}

/** The measurements, events and alerts of a period. */
async function readDrawn(request: PageRequest<SessionCaller>, server_id: string, { preset }: Chosen) {
  const [range, , length] = preset;
  const since = toTimestamp(request.now - length);
  const [series, events, alerts] = await Promise.all([
    nullIfRefused(
      refused,
      request.call(getServerMetrics, { server_id, range, fields: [...chartFields], max_points: points }),
    ),
    nullIfRefused(refused, request.call(listServerEvents, { server_id, from: since, limit: marksAtMost })),
    request.call(listAlerts, { server_id, since, kind: "threshold", limit: marksAtMost }),
  ]);
  return { series, events: events?.data ?? [], alerts: alerts.data satisfies Alert[] };
}
