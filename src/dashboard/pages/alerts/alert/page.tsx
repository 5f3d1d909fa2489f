import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { acknowledgeAlert } from "../../../../endpoints/api/alert/acknowledge-alert.ts";
import { getAlert } from "../../../../actions/alert/get-alert.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";
import { Acknowledge, AlertFacts, AlertState, AlertSubject } from "../../../parts/alert.tsx";
import { chartsAround } from "../../../parts/charts-around.ts";
import { DeliveryTrail } from "../../../parts/delivery-trail.tsx";
import { Card } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import { deliverySentence } from "../../../words/alerts.ts";
import { RecordedMeanwhile, recordedMeanwhile } from "./recorded-meanwhile.tsx";

export const alertPage = personPage({ path: "/alerts/{id}", show, actions: { acknowledge } });

async function show(request: PageRequest<SessionCaller>): Promise<PageContent> {
  const alert = await request.call(getAlert, { alert_id: request.params["id"] ?? "" });
  const { server_id, server_name, rule_id, rule_name, kind, opened_at, resolved_at } = alert;
  const profiles = await recordedMeanwhile(request, alert);
  const edits = kind === "event" ? "edit_event" : "edit";
  return {
    title: `Alert: ${rule_name}`,
    body: (
      <>
        <div class="title">
          <h1>
            <Text value={rule_name} />
          </h1>
          <AlertState alert={alert} />
        </div>
        <p>
          <AlertSubject alert={alert} /> on{" "}
          <a href={`/servers/${server_id}`}>
            <Text value={server_name} none="a server without a name" />
          </a>
        </p>
        <Acknowledge alert={alert} />
        <Card title="What happened">
          <AlertFacts alert={alert} />
          <p class="row">
            <a href={`/servers/${server_id}/rules?${edits}=${rule_id}`}>The rule</a>
            <a href={chartsAround(server_id, Date.parse(opened_at), Date.parse(resolved_at ?? opened_at))}>
              Charts around it
            </a>
            <a href={`/servers/${server_id}/timeline`}>The server&apos;s timeline</a>
            <a href={`/alerts?${new URLSearchParams({ rule_name })}`}>All alerts of rules of this name</a>
          </p>
        </Card>
        {profiles.length > 0 && <RecordedMeanwhile profiles={profiles} />}
        <Card title="Notifications">
          <p>{deliverySentence(alert)}</p>
          <DeliveryTrail delivery={alert.delivery} now={request.now} />
          <p class="hint">
            <a href="/settings/notifications">Settings, Notifications</a> sets where the messages of this
            account go.
          </p>
        </Card>
      </>
    ),
  };
}

async function acknowledge(sent: Submission<SessionCaller>): Promise<ActionResult> {
  const alert_id = sent.params["id"] ?? "";
  await sent.call(acknowledgeAlert, { alert_id });
  return { to: `/alerts/${alert_id}` };
}
