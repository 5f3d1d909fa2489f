import type { Alert } from "../../core/alert/alert.ts";
import { metricWords, reasonWords, stateWords, withUnit } from "../../core/alert/message.ts";
import { shownDuration } from "../../core/text/plain-words.ts";
import type { Instant } from "../../core/time.ts";
import { meaningOf, statusWord, deliverySentence, watchedOf } from "../words/alerts.ts";
import { DeliveryTrail } from "./delivery-trail.tsx";
import { Button, Form } from "./form.tsx";
import { State } from "./state.tsx";
import { Facts } from "./table.tsx";
import { Age, Text, Time } from "./value.tsx";

export const AlertState = ({ alert }: { alert: Alert }) => (
  <State means={meaningOf(alert)}>{statusWord(alert)}</State>
);

/** The measured value and the condition, or the event's title. */
export function AlertSubject({ alert }: { alert: Alert }) {
  if (alert.event) return <Text value={alert.event.title} none="an event without a title" />;
  const { metric, value } = alert;
  const measured =
    metric === null || metric === "offline" || value === null
      ? null
      : `${metricWords[metric][0]} ${withUnit(metric, value)} when it opened`;
  return (
    <>
      {measured && <strong class="quantity">{measured}</strong>}
      {measured && "; condition: "}
      {watchedOf(alert)}
    </>
  );
}

export function Acknowledge({ alert }: { alert: Alert }) {
  if (alert.status !== "open") return null;
  return (
    <Form does="acknowledge" hidden={{ alert_id: alert.id }} class="form inline">
      <Button plain>Acknowledge</Button>
    </Form>
  );
}

export function AlertItem({ alert, now }: { alert: Alert; now: Instant }) {
  const { id, rule_name, server_id, server_name, opened_at } = alert;
  return (
    <li class="card stack-half">
      <div class="title">
        <span class="row">
          <AlertState alert={alert} />
          <span>
            <a class="name" href={`/alerts/${id}`}>
              <Text value={rule_name} />
            </a>{" "}
            on{" "}
            <a href={`/servers/${server_id}`}>
              <Text value={server_name} none="a server without a name" />
            </a>
          </span>
        </span>
        <span class="small quiet">
          <Age at={opened_at} now={now} />
        </span>
      </div>
      <p>
        <AlertSubject alert={alert} />
      </p>
      <p class={alert.notified ? "quiet" : undefined}>{deliverySentence(alert)}</p>
      <details>
        <summary>Notifications, channel by channel</summary>
        <DeliveryTrail delivery={alert.delivery} now={now} />
      </details>
      <Acknowledge alert={alert} />
    </li>
  );
}

const valueWords = ({ metric }: Alert, value: number | null): string | null =>
  metric === null || metric === "offline" || value === null ? null : withUnit(metric, value);

/** Without the notifications. */
export function AlertFacts({ alert }: { alert: Alert }) {
  const { event, acknowledged_at, acknowledged_by, resolved_at, resolution_reason, opened_at } = alert;
  const value = valueWords(alert, alert.value);
  const worst = valueWords(alert, alert.worst_value);
  return (
    <Facts
      of={[
        ...(watchedOf(alert) ? ([["Condition", watchedOf(alert)]] as const) : []),
        ...(value ? ([["Value when it opened", value]] as const) : []),
        ...(worst ? ([["Worst value", worst]] as const) : []),
        ...(event ? eventFacts(event) : []),
        ["Server state then", stateWords[alert.server_state]],
        ...(alert.pending_since ? ([["Began", <Time at={alert.pending_since} />]] as const) : []),
        ["Opened", <Time at={opened_at} />],
        ...(acknowledged_at
          ? ([
              [
                "Acknowledged",
                <>
                  <Time at={acknowledged_at} /> {acknowledged_by === "api" ? "by a token" : "in the browser"}
                </>,
              ],
            ] as const)
          : []),
        ...(resolved_at && resolution_reason && !event
          ? ([
              [
                "Ended",
                <>
                  <Time at={resolved_at} />, after{" "}
                  {shownDuration(Date.parse(resolved_at) - Date.parse(opened_at))}.{" "}
                  {reasonWords[resolution_reason]}
                </>,
              ],
            ] as const)
          : []),
        ...(alert.in_maintenance ? ([["Maintenance", "in progress when the alert opened"]] as const) : []),
        ...(alert.flapping
          ? ([["Flapping", "the rule opens and closes alerts again and again"]] as const)
          : []),
      ]}
    />
  );
}

const eventFacts = ({ title, type, category, severity, timestamp }: NonNullable<Alert["event"]>) =>
  [
    ["Event", <Text value={title} />],
    [
      "Kind",
      <>
        <Text value={type} /> ({category}, {severity})
      </>,
    ],
    ["Happened", <Time at={timestamp} />],
  ] as const;
