import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import { listAlerts } from "../../../../endpoints/api/alert/list-alerts.ts";
import { diagnoseServer } from "../../../../endpoints/api/health/diagnose-server.ts";
import { getMaintenance } from "../../../../endpoints/api/maintenance/get-maintenance.ts";
import { getServerMetrics } from "../../../../endpoints/api/metric/get-server-metrics.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { listRecurringMaintenance } from "../../../../actions/maintenance/list-recurring-maintenance.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { personPage, type FormProblem, type PageContent, type PageRequest } from "../../../page.ts";
import { LivePart } from "../../../parts/live-part.tsx";
import { nullIfRefused, planRefusals } from "../../../parts/null-if-refused.ts";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Notice } from "../../../parts/state.tsx";
import { lateNowOf } from "../../../../core/health/late-now.ts";
import { chartFields } from "../charts/chart-data.ts";
import { plotDataOf, sparkPeriod } from "../plot-data.ts";
import { WithoutMonitoring } from "../without-monitoring.tsx";
import { HealthCard } from "./health/health-card.tsx";
import { LiveState } from "./live.tsx";
import { MaintenanceCard } from "./maintenance.tsx";
import { maintenanceActions } from "./maintenance-actions.ts";
import { OpenAlerts } from "./open-alerts.tsx";
import { RecurringMaintenanceCard } from "./recurring-maintenance.tsx";
import { softwareCard } from "./software.tsx";

/** One server now: health, state, alerts in progress, maintenance and software. */
export const serverNowPage = personPage({
  path: "/servers/{id}",
  show,
  parts: { now: async (request) => (await readNow(request)).content },
  actions: maintenanceActions,
});

async function show(
  request: PageRequest<SessionCaller>,
  problem: FormProblem | null,
): Promise<PageContent | { readonly to: string }> {
  const { now, query } = request;
  const server_id = request.params["id"] ?? "";
  const moved = movedTo(server_id, query);
  if (moved !== null) return { to: moved };
  const isMonitoring = planIncludes(request.person.limits, "monitoring");
  // The live part comes first and alone: it refuses a server of another account.
  const { content, capture, maintenance } = await readNow(request);
  const { server_name: name } = capture;
  const [software, recurring] = await Promise.all([
    softwareCard(request, server_id),
    isMonitoring ? request.call(listRecurringMaintenance, { server_id }) : null,
  ]);
  return {
    title: name ?? "Server without a name",
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        <LivePart of="now">{content}</LivePart>
        <div class="aside-columns">
          <div class="stack">{software}</div>
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

/** Redirects old addresses: charts and timeline were on this page before. */
function movedTo(server_id: string, query: URLSearchParams): string | null {
  const page = ["range", "from", "to"].some((name) => query.has(name))
    ? "charts"
    : ["category", "cursor"].some((name) => query.has(name))
      ? "timeline"
      : null;
  return page && `/servers/${encodeURIComponent(server_id)}/${page}?${query}`;
}

/** The live part: health, state, maintenance and open alerts. */
async function readNow(request: PageRequest<SessionCaller>) {
  const { now, person } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  const status = await request.call(getServerStatus, { server_id });
  const isMonitoring = planIncludes(person.limits, "monitoring");
  const [capture, maintenance, open, health, series] = await Promise.all([
    request.call(getCaptureState, { server_id }),
    request.call(getMaintenance, { server_id }),
    request.call(listAlerts, { server_id, status: "open" }),
    nullIfRefused(planRefusals, request.call(diagnoseServer, { server_id })),
    isMonitoring
      ? nullIfRefused(
          planRefusals,
          request.call(getServerMetrics, {
            server_id,
            ...sparkPeriod(now),
            fields: [...chartFields],
          }),
        )
      : null,
  ]);
  const { sender } = capture;
  const content = (
    <>
      {health && <HealthCard health={health} late={lateNowOf(status, now)} sender={sender} now={now} />}
      <LiveState
        status={status}
        sender={sender}
        health={health}
        plot={series && plotDataOf(series)}
        now={now}
      />
      {!isMonitoring && <WithoutMonitoring account={person.account} />}
      {maintenance.in_progress && (
        <Notice means="silenced">
          <a href="#maintenance">Maintenance is in progress</a>: alerts are recorded, and nobody is notified.
        </Notice>
      )}
      <OpenAlerts id={server_id} alerts={open.data} now={now} />
    </>
  );
  return { content, capture, maintenance };
}
