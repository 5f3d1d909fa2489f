import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { AlertMetric } from "../../../../core/alert/alert-rule.ts";
import type { Delivery } from "../../../../core/alert/delivery.ts";
import { planIncludes } from "../../../../core/access/plan.ts";
import type { ServerStatus } from "../../../../core/server/status.ts";
import { listAlertRules } from "../../../../endpoints/api/alert/list-alert-rules.ts";
import { listEventAlertRules } from "../../../../endpoints/api/alert/list-event-alert-rules.ts";
import { testAlertRule } from "../../../../endpoints/api/alert/test-alert-rule.ts";
import type { Maintenance } from "../../../../core/maintenance/server-maintenance.ts";
import { getMaintenance } from "../../../../endpoints/api/maintenance/get-maintenance.ts";
import { getMonitoringOverview } from "../../../../endpoints/api/monitoring/get-monitoring-overview.ts";
import { getServerStatus } from "../../../../endpoints/api/server/get-server-status.ts";
import { testEventRule } from "../../../../actions/alert/test-event-rule.ts";
import {
  personPage,
  type ActionResult,
  type FormProblem,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { DeliveryTrail } from "../../../parts/delivery-trail.tsx";
import { PlanNotice } from "../../../parts/plan.tsx";
import { ServerHead } from "../../../parts/server-head.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { draftOf, FormPreview, PreviewLink } from "./preview/form-preview.tsx";
import { SwitchedOff } from "./rule-buttons.tsx";
import { readPast } from "./preview/history.tsx";
import { ruleActions } from "./form-actions.ts";
import { EventRules, ThresholdRules } from "./sections.tsx";

export const serverRulesPage = personPage({
  path: "/servers/{id}/rules",
  show: (request, problem) => show(request, problem, null),
  actions: { ...ruleActions, "test-rule": testRule, "test-event-rule": testEvent },
});

async function show(
  request: PageRequest<SessionCaller>,
  problem: FormProblem | null,
  tested: Delivery | null,
): Promise<PageContent> {
  const { now, person, plans, query } = request;
  const server_id = request.params["id"] ?? "";
  // This call comes first and alone: it refuses a server of another account.
  const status = await request.call(getServerStatus, { server_id });
  const [rules, eventRules, maintenance, overview] = await Promise.all([
    request.call(listAlertRules, { server_id }),
    request.call(listEventAlertRules, { server_id }),
    request.call(getMaintenance, { server_id }),
    request.call(getMonitoringOverview, { include_unmonitored: true }),
  ]);
  const name = overview.data.find((each) => each.server_id === server_id)?.name ?? null;
  const { limits } = person;
  const canChange = planIncludes(limits, "monitoring");
  const wanted = (key: string): string | null => problem?.form.get(key) ?? query.get(key);
  const metric = AlertMetric.safeParse(wanted("metric")).data ?? null;
  const edited = rules.data.find(({ id }) => id === query.get("edit")) ?? null;
  const draft = canChange ? draftOf(edited, metric, problem) : null;
  const past = draft && (await readPast(request, server_id, draft));
  return {
    title: `Rules of ${name ?? "a server without a name"}`,
    scripts: past ? ["rule-preview.js"] : [],
    styles: past ? ["uplot.css", "rules.css"] : [],
    body: (
      <>
        <ServerHead id={server_id} name={name} />
        <PlanNotice plans={plans} account={person.account} feature="monitoring">
          Rules are part of monitoring. Without it the rules are paused, and can only be deleted.
        </PlanNotice>
        {canChange && <NotWatched status={status} />}
        <InMaintenance server={server_id} maintenance={maintenance} />
        {canChange && <SwitchedOff rules={rules.data} id={query.get("off")} kind="rule" />}
        {canChange && <SwitchedOff rules={eventRules.data} id={query.get("off")} kind="event-rule" />}
        {tested && <Tested delivery={tested} now={now} />}
        <ThresholdRules
          rules={rules.data}
          limit={limits.alert_rules}
          canChange={canChange}
          edit={query.get("edit")}
          metric={metric}
          isWatched={eventRules.data.some(({ enabled }) => enabled)}
          withPreview={(form) =>
            draft && past ? (
              <FormPreview server={server_id} draft={draft} {...past}>
                {form}
              </FormPreview>
            ) : (
              <PreviewLink server={server_id} />
            )
          }
          now={now}
        />
        <EventRules
          rules={eventRules.data}
          limit={limits.event_rules}
          canChange={canChange}
          edit={query.get("edit_event")}
          isNew={query.has("new_event") || problem?.action === "create-event-rule"}
          now={now}
        />
      </>
    ),
  };
}

/** The rules of a server that is not monitored are paused. */
function NotWatched({ status: { server_id, monitoring } }: { status: ServerStatus }) {
  if (monitoring.site_step === "on") return null;
  return (
    <Notice means="watch">
      This server is not monitored, so its rules are paused.{" "}
      <a href={`/servers/${server_id}/settings`}>Switch monitoring on in its settings</a>.
    </Notice>
  );
}

function InMaintenance({ server, maintenance }: { server: string; maintenance: Maintenance }) {
  if (!maintenance.in_progress) return null;
  return (
    <Notice means="silenced">
      <a href={`/servers/${server}#maintenance`}>Maintenance is in progress</a>: alerts are recorded, and
      nobody is notified.
    </Notice>
  );
}

function Tested({ delivery, now }: { delivery: Delivery; now: number }) {
  return (
    <Card title="Test message">
      <DeliveryTrail delivery={delivery} now={now} />
      <p class="hint">
        <a href="/settings/notifications">Settings, Notifications</a> sets where the messages of this account
        go.
      </p>
    </Card>
  );
}

async function testRule(sent: Submission<SessionCaller>): Promise<ActionResult> {
  const { delivery } = await sent.call(testAlertRule, { rule_id: sent.form.get("rule_id") ?? "" });
  return show(sent, null, delivery);
}

async function testEvent(sent: Submission<SessionCaller>): Promise<ActionResult> {
  const { delivery } = await sent.call(testEventRule, { rule_id: sent.form.get("rule_id") ?? "" });
  return show(sent, null, delivery);
}
