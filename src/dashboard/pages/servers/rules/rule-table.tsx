import { absence } from "../../../words/glossary.ts";
import type { AlertRule, RuleState } from "../../../../core/alert/alert-rule.ts";
import type { EventRule } from "../../../../core/alert/event-rule.ts";
import { watchedWords, withUnit } from "../../../../core/alert/message.ts";
import type { Instant } from "../../../../core/time.ts";
import { channelsOn } from "../../../parts/channel-checks.tsx";
import { State, type Meaning } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, Text } from "../../../parts/value.tsx";
import { Muted, RowButtons } from "./rule-buttons.tsx";

const states: Readonly<Record<RuleState, readonly [Meaning, string]>> = {
  ok: ["good", "not breached"],
  pending: ["watch", "breached, but not for long enough yet"],
  firing: ["bad", "alert open"],
  no_data: ["unknown", absence.notMeasured],
  paused: ["silenced", "paused"],
};

interface TableProps<R> {
  readonly rules: readonly R[];
  readonly canChange: boolean;
  readonly now: Instant;
}

type AnyRule = AlertRule | EventRule;

const ruleColumn = <R extends AnyRule>(watches: (rule: R) => string) => ({
  head: "Rule",
  cell: (rule: R) => (
    <>
      <strong>
        <Text value={rule.name} />
      </strong>
      <br />
      <span class="small">
        <Text value={watches(rule)} />
      </span>
    </>
  ),
});

const notificationColumns = (now: Instant) => [
  { head: "Notifies by", cell: (rule: AnyRule) => channelsOn(rule) },
  { head: "Last alert", cell: (rule: AnyRule) => <Age at={rule.last_triggered_at} now={now} /> },
];

/** Threshold and offline rules. */
export function RuleTable({ rules, canChange, now }: TableProps<AlertRule>) {
  return (
    <Table
      caption="Alert rules"
      rows={rules}
      rowKey={(rule) => rule.id}
      columns={[
        ruleColumn(watched),
        { head: "State", cell: (rule) => <Standing rule={rule} now={now} /> },
        { head: "Now", cell: (rule) => <LiveValue rule={rule} /> },
        ...notificationColumns(now),
        {
          head: "Action",
          cell: (rule) => (
            <RowButtons canChange={canChange} rule={rule} kind="rule" edit={`?edit=${rule.id}#edit`} />
          ),
        },
      ]}
    />
  );
}

const watched = ({ metric, condition, threshold, duration_minutes }: AlertRule): string =>
  watchedWords({ metric, condition, threshold, durationMinutes: duration_minutes }) ?? "";

function Standing({ rule, now }: { rule: AlertRule; now: Instant }) {
  const [means, word] = rule.enabled ? states[rule.state] : (["silenced", "switched off"] as const);
  return (
    <>
      <State means={means}>
        {rule.open_alert_id ? <a href={`/alerts/${rule.open_alert_id}`}>{word}</a> : word}
      </State>{" "}
      <span class="small">
        since <Age at={rule.state_since} now={now} />
      </span>{" "}
      <Muted rule={rule} now={now} />
    </>
  );
}

function LiveValue({ rule: { metric, last_value } }: { rule: AlertRule }) {
  if (metric === "offline") return <span class="quiet">{absence.none}</span>;
  if (last_value === null) return <span class="quiet">not measured</span>;
  return <span class="quantity">{withUnit(metric, last_value)}</span>;
}

export function EventRuleTable({ rules, canChange, now }: TableProps<EventRule>) {
  return (
    <Table
      caption="Rules on events"
      rows={rules}
      rowKey={(rule) => rule.id}
      columns={[
        ruleColumn(conditions),
        {
          head: "State",
          cell: (rule) => (
            <>
              <State means={rule.enabled ? "good" : "silenced"}>{rule.enabled ? "on" : "switched off"}</State>{" "}
              <Muted rule={rule} now={now} />
            </>
          ),
        },
        ...notificationColumns(now),
        {
          head: "Action",
          cell: (rule) => (
            <RowButtons
              canChange={canChange}
              rule={rule}
              kind="event-rule"
              edit={`?edit_event=${rule.id}#edit-event`}
            />
          ),
        },
      ]}
    />
  );
}

/** In one line. */
function conditions({ event_types, categories, min_severity, sources }: EventRule): string {
  const parts = [
    event_types.length > 0 ? event_types.join(", ") : "events of every type",
    ...(categories.length > 0 ? [`of ${categories.join(", ")}`] : []),
    ...(min_severity === null ? [] : [`${min_severity} or worse`]),
    ...(sources.length > 0 ? [`reported by ${sources.join(", ")}`] : []),
  ];
  return parts.join("; ");
}
