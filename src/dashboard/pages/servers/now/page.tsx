import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import { EventCategory } from "../../../../core/event/server-event.ts";
import { Refusal } from "../../../../core/errors.ts";
import { dayMs, toTimestamp } from "../../../../core/time.ts";
import { listAlertRules } from "../../../../endpoints/api/alert/list-alert-rules.ts";
import { listAlerts } from "../../../../endpoints/api/alert/list-alerts.ts";
import { listServerEvents } from "../../../../endpoints/api/event/list-server-events.ts";
import { diagnoseServer } from "../../../../endpoints/api/health/diagnose-server.ts";
import { getMaintenance } from "../../../../endpoints/api/maintenance/get-maintenance.ts";
import { listMaintenanceWindows } from "../../../../endpoints/web/maintenance/list-maintenance-windows.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { getRegressionVerdict } from "../../../../endpoints/api/server/get-regression-verdict.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { listRecurringMaintenance } from "../../../../endpoints/web/maintenance/list-recurring-maintenance.ts";
import { getCaptureState } from "../../../../endpoints/web/server/get-capture-state.ts";
import { personPage, type FormProblem, type PageContent, type PageRequest } from "../../../page.ts";
import { LivePart, LoadedPart } from "../../../parts/live-part.tsx";
import { nullIfRefused } from "../../../parts/null-if-refused.ts";
import { Notice } from "../../../parts/state.tsx";
import { ServerTabs } from "../../../parts/tabs.tsx";
import { Text } from "../../../parts/value.tsx";
import { lateNowOf } from "../../../words/late-now.ts";
import { chartDataOf, chartFields, type DrawnPeriod } from "./chart-data.ts";
import { Charts } from "./charts.tsx";
import { HealthCard } from "./health/health-card.tsx";
import { HealthPeriod } from "./health/health-period.tsx";
import { LiveState } from "./live.tsx";
import { MaintenanceCard } from "./maintenance.tsx";
import { maintenanceActions } from "./maintenance-actions.ts";
import { RecurringMaintenanceCard } from "./recurring-maintenance.tsx";
import { annotationsOf } from "./chart-annotations.ts";
import { OpenAlerts } from "./open-alerts.tsx";
import { requestedPeriodIn, choosePeriod, periodInputOf, type Chosen } from "./period.ts";
import { secondsOf } from "../plot-data.ts";
import { Regression } from "./regression.tsx";
import { softwareCard } from "./software.tsx";
import { Timeline } from "./timeline.tsx";

/** One server: its health and state, alerts, charts, regression verdict, timeline and maintenance. */
export const serverNowPage = personPage({
  path: "/servers/{id}",
  show,
  parts: { now: async (request) => (await readNow(request)).content },
  loadedParts: { charts: showCharts },
  data: { charts: readNewer },
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
  const chosen = chosenIn(request);
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
        {chosen && drawn && (
          <LoadedPart of="charts">
            <Charts
              id={server_id}
              drawn={drawn}
              chosen={chosen}
              retentionDays={request.person.limits.retention_days}
              now={now}
            />
          </LoadedPart>
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
      {health && <HealthCard health={health} late={lateNowOf(status, now)} sender={sender} now={now} />}
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
  if (chosen === null || chosen.to - chosen.from <= dayMs) return null;
  return nullIfRefused(refused, request.call(diagnoseServer, { server_id, ...periodInputOf(chosen) }));
}

/** The period of the charts; null if the plan shows none. */
function chosenIn({ person, query, now }: PageRequest<SessionCaller>): Chosen | null {
  const { limits } = person;
  return planIncludes(limits, "monitoring")
    ? choosePeriod(requestedPeriodIn(query), limits.retention_days, now)
    : null;
}

/** The charts of another period, for the page's script. */
async function showCharts(request: PageRequest<SessionCaller>) {
  const [chosen, drawn, server_id] = await readCharts(request);
  const { limits } = request.person;
  return (
    <Charts
      id={server_id}
      drawn={drawn}
      chosen={chosen}
      retentionDays={limits.retention_days}
      now={request.now}
    />
  );
}

/** The points after the time (Unix seconds) that the page's script has already. */
async function readNewer(request: PageRequest<SessionCaller>) {
  const [, drawn] = await readCharts(request);
  const after = Number(request.query.get("after"));
  return chartDataOf(drawn, Number.isFinite(after) ? after : null);
}

async function readCharts(request: PageRequest<SessionCaller>) {
  const server_id = request.params["id"] ?? "";
  const chosen = chosenIn(request);
  const drawn = chosen && (await readDrawn(request, server_id, chosen));
  if (!chosen || !drawn) throw new Refusal("plan_required", "This plan shows no charts.");
  return [chosen, drawn, server_id] as const;
}

/** What the charts of a period show; null if the plan shows no measurements. */
async function readDrawn(
  request: PageRequest<SessionCaller>,
  server_id: string,
  chosen: Chosen,
): Promise<DrawnPeriod | null> {
  const since = toTimestamp(chosen.from);
  const span = { from: since, to: toTimestamp(chosen.to) };
  const [series, events, alerts, rules, windows] = await Promise.all([
    nullIfRefused(
      refused,
      request.call(getServerMetrics, {
        server_id,
        ...periodInputOf(chosen),
        fields: [...chartFields],
        max_points: points,
      }),
    ),
    nullIfRefused(refused, request.call(listServerEvents, { server_id, ...span, limit: marksAtMost })),
    request.call(listAlerts, { server_id, since, until: span.to, kind: "threshold", limit: marksAtMost }),
    request.call(listAlertRules, { server_id }),
    request.call(listMaintenanceWindows, { server_id, from: since }),
  ]);
  if (!series) return null;
  return {
    series,
    rules: rules.data,
    marks: annotationsOf(server_id, alerts.data, events?.data ?? []),
    shades: windows.data.map(({ started_at, ends_at }) => [
      secondsOf(started_at),
      Math.min(secondsOf(ends_at), Math.round(request.now / 1000)),
    ]),
  };
}
