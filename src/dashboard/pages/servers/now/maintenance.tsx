import { longestMinutes, shortestMinutes } from "../../../../core/maintenance/maintenance.ts";
import type { Maintenance } from "../../../../core/maintenance/server-maintenance.ts";
import type { Instant } from "../../../../core/time.ts";
import { usePageContext } from "../../../frame.tsx";
import { Button, Choice, FormField, Form } from "../../../parts/form.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Age, Text, Time } from "../../../parts/value.tsx";

const durations = [
  [String(shortestMinutes), "5 min"],
  ["15", "15 min"],
  ["30", "30 min"],
  ["60", "1 h"],
  ["120", "2 h"],
  ["240", "4 h"],
  ["480", "8 h"],
  [String(longestMinutes), "24 h"],
] as const;

const startedBy = {
  api: "a token",
  dashboard: "a person, here",
  schedule: "a recurring maintenance",
} as const;

/** During maintenance alerts are recorded, but nobody is notified. */
export function MaintenanceCard({ maintenance, now }: { maintenance: Maintenance; now: Instant }) {
  const { in_progress, started_at, ends_at, reason, started_by } = maintenance;
  const { problem } = usePageContext();
  return (
    <Card
      title="Maintenance"
      id="maintenance"
      aside={
        in_progress ? <State means="silenced">in progress</State> : <span class="quiet">not in progress</span>
      }
    >
      {in_progress ? (
        <>
          <Facts
            of={[
              ["Ends", <Age key="ends" at={ends_at} now={now} />],
              ["Until", <Time key="until" at={ends_at} />],
              ["Began", <Age key="began" at={started_at} now={now} />],
              ["Reason", <Text key="reason" value={reason} none="none given" />],
              ["Started by", startedBy[started_by ?? "dashboard"]],
            ]}
          />
          <Form does="end-maintenance" class="form inline">
            <Button>End it now</Button>
          </Form>
        </>
      ) : (
        <p class="small quiet">During maintenance alerts are recorded, and nobody is notified of them.</p>
      )}
      <details open={problem?.action === "start-maintenance"}>
        <summary>{in_progress ? "Move the end" : "Start maintenance"}</summary>
        <Form does="start-maintenance">
          <Choice
            name="duration"
            label={in_progress ? "Duration from now" : "Duration"}
            options={durations}
            value="60"
            of="start-maintenance"
          />
          <FormField
            name="reason"
            label="Reason"
            hint={
              in_progress
                ? "If this stays empty, the reason does not change."
                : "Optional. It is shown with the maintenance."
            }
            maxLength={200}
            of="start-maintenance"
            autoComplete="off"
          />
          <Button plain={in_progress}>{in_progress ? "Move the end" : "Start maintenance"}</Button>
        </Form>
      </details>
    </Card>
  );
}
