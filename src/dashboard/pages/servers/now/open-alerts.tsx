import type { Alert } from "../../../../core/alert/alert.ts";
import type { Instant } from "../../../../core/time.ts";
import { AlertSubject } from "../../../parts/alert.tsx";
import { isInAppOnly } from "../../../words/alerts.ts";
import { Card, State } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, Text } from "../../../parts/value.tsx";

export function OpenAlerts({ id, alerts, now }: { id: string; alerts: readonly Alert[]; now: Instant }) {
  return (
    <Card title="Alerts in progress" aside={<a href="/alerts">All alerts</a>}>
      {alerts.length === 0 ? (
        <p>
          None. <a href={`/servers/${id}/rules`}>Rules</a> set when somebody is notified.
        </p>
      ) : (
        <Table
          caption="Alerts in progress"
          rows={alerts}
          rowKey={(alert) => alert.id}
          columns={[
            {
              head: "Status",
              cell: ({ status }) => (
                <State means={status === "acknowledged" ? "silenced" : "bad"}>{status}</State>
              ),
            },
            {
              head: "Rule",
              cell: ({ id: alert, rule_name }) => (
                <a href={`/alerts/${alert}`}>
                  <Text value={rule_name} />
                </a>
              ),
            },
            { head: "What", wide: true, cell: (alert) => <AlertSubject alert={alert} /> },
            { head: "Opened", cell: ({ opened_at }) => <Age at={opened_at} now={now} /> },
            {
              head: "Somebody was notified",
              cell: (alert) =>
                alert.notified ? notifiedWord(alert) : <a href="/alerts">no: see the reason</a>,
            },
          ]}
        />
      )}
    </Card>
  );
}

const notifiedWord = (alert: Alert): string => (isInAppOnly(alert) ? "in the app only" : "yes");
