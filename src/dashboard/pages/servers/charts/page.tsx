import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import { Refusal } from "../../../../core/errors.ts";
import { dayMs, toTimestamp } from "../../../../core/time.ts";
import { listAlertRules } from "../../../../endpoints/api/alert/list-alert-rules.ts";
import { listAlerts } from "../../../../endpoints/api/alert/list-alerts.ts";
import { listServerEvents } from "../../../../endpoints/api/event/list-server-events.ts";
import { diagnoseServer } from "../../../../endpoints/api/health/diagnose-server.ts";
import { listMaintenanceWindows } from "../../../../actions/maintenance/list-maintenance-windows.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { getRegressionVerdict } from "../../../../endpoints/api/server/get-regression-verdict.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { personPage, type PageContent, type PageRequest } from "../../../page.ts";
import { LoadedPart } from "../../../parts/live-part.tsx";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { Empty } from "../../../parts/state.tsx";
import { ServerHead } from "../../../parts/server-head.tsx";
import { secondsOf } from "../plot-data.ts";
import { WithoutMonitoring } from "../without-monitoring.tsx";
import { annotationsOf } from "./chart-annotations.ts";
import { chartDataOf, chartFields, type DrawnPeriod } from "./chart-data.ts";
import { Charts } from "./charts.tsx";
import { HealthPeriod } from "./health-period.tsx";
import { choosePeriod, periodInputOf, requestedPeriodIn, type Chosen } from "./period.ts";
import { Regression } from "./regression.tsx";

/** One server over time: charts, changes, availability, and the verdict on its benchmarks. */
export const serverChartsPage = personPage({
  path: "/servers/{id}/charts",
  show,
  loadedParts: { charts: showCharts },
  data: { charts: readNewer },
});

/** The most points and marks of a chart. */
const points = 400;
const marksAtMost = 100;

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const { now, person } = request;
  const server_id = request.params["id"] ?? "";
  const chosen = chosenIn(request);
  // This call comes first and alone: it refuses a server of another account.
  const { last_heartbeat } = await request.call(getServerStatus, { server_id });
  const [{ server_name: name, sender }, verdict, drawn, health] = await Promise.all([
    request.call(getCaptureState, { server_id }),
    nullIfRefused(["server_not_verified"], request.call(getRegressionVerdict, { server_id })),
    chosen && readDrawn(request, server_id, chosen),
    readHealth(request, server_id, chosen),
  ]);
  // A replaced period is explained above its charts.
  const isSilent = last_heartbeat === null && drawn?.series.points_total === 0 && chosen?.instead === null;
  return {
    title: `Charts of ${name ?? "a server without a name"}`,
    scripts: ["charts.js"],
    styles: ["uplot.css"],
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        {isSilent && <NothingMeasured id={server_id} />}
        {chosen && drawn && !isSilent && (
          <LoadedPart of="charts">
            <Charts
              id={server_id}
              drawn={drawn}
              chosen={chosen}
              retentionDays={person.limits.retention_days}
              now={now}
            />
            {health && <HealthPeriod health={health} now={now} />}
          </LoadedPart>
        )}
        {!(chosen && drawn) && <WithoutMonitoring account={person.account} />}
        <Regression verdict={verdict} sender={sender} />
      </>
    ),
  };
}

/** In place of charts without a line. */
const NothingMeasured = ({ id }: { id: string }) => (
  <Empty
    title="Nothing was measured yet"
    next={<a href={`/servers/${id}/first-steps`}>See what is missing until the first chart</a>}
  >
    <p>TPS, tick times, players, memory and CPU are drawn here once the server has sent two measurements.</p>
  </Empty>
);

/** Over the chosen period; one that ends now is at least a day. */
const readHealth = (request: PageRequest<SessionCaller>, server_id: string, chosen: Chosen | null) =>
  nullIfRefused(
    planRefusals,
    request.call(diagnoseServer, {
      server_id,
      ...(chosen !== null &&
        (chosen.preset === null || chosen.to - chosen.from > dayMs) &&
        periodInputOf(chosen)),
    }),
  );

/** Null if the plan shows no measurements. */
function chosenIn({ person, query, now }: PageRequest<SessionCaller>): Chosen | null {
  const { limits } = person;
  return planIncludes(limits, "monitoring")
    ? choosePeriod(requestedPeriodIn(query), limits.retention_days, now)
    : null;
}

/** For the page's script: the charts of another period, and its changes. */
async function showCharts(request: PageRequest<SessionCaller>) {
  const [chosen, drawn, server_id] = await readCharts(request);
  const health = await readHealth(request, server_id, chosen);
  const { limits } = request.person;
  return (
    <>
      <Charts
        id={server_id}
        drawn={drawn}
        chosen={chosen}
        retentionDays={limits.retention_days}
        now={request.now}
      />
      {health && <HealthPeriod health={health} now={request.now} />}
    </>
  );
}

/** Points after a time (Unix seconds) up to which the page's script has them. */
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

/** Null if the plan shows no measurements. */
async function readDrawn(
  request: PageRequest<SessionCaller>,
  server_id: string,
  chosen: Chosen,
): Promise<DrawnPeriod | null> {
  const since = toTimestamp(chosen.from);
  const span = { from: since, to: toTimestamp(chosen.to) };
  const [series, events, alerts, rules, windows] = await Promise.all([
    nullIfRefused(
      planRefusals,
      request.call(getServerMetrics, {
        server_id,
        ...periodInputOf(chosen),
        fields: [...chartFields],
        max_points: points,
      }),
    ),
    nullIfRefused(planRefusals, request.call(listServerEvents, { server_id, ...span, limit: marksAtMost })),
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
