import { z } from "zod";
import { AlertCondition, AlertMetric, RuleProgress } from "../../core/alert/alert-rule.ts";
import {
  Actor,
  AlertKind,
  AlertStatus,
  ResolutionReason,
  type AlertedEvent,
} from "../../core/alert/alert.ts";
import { DeliveryRecord } from "../../core/alert/delivery.ts";
import { eventPresets, type EventPreset } from "../../core/alert/event-rule.ts";
import { EventCategory, EventSeverity } from "../../core/event/server-event.ts";
import { ServerState } from "../../core/server/status.ts";
import {
  flag,
  instant,
  integer,
  checkedJson,
  jsonOf,
  mapped,
  oneOf,
  real,
  table,
  text,
  type RowOf,
} from "../engine/table.ts";

export const alertRuleTable = table("alert_rule", {
  id: text,
  server_id: text,
  name: text,
  metric: oneOf(AlertMetric),
  condition: oneOf(AlertCondition).nullable,
  threshold: real.nullable,
  duration_minutes: integer,
  cooldown_minutes: integer,
  notify_email: flag.as("notify.email"),
  notify_chat: flag.as("notify.chat"),
  notify_in_app: flag.as("notify.in_app"),
  enabled: flag,
  muted_until: instant.nullable,
  mute_told_until: instant.nullable,
  progress: checkedJson<RuleProgress>(RuleProgress),
  last_triggered_at: instant.nullable,
  last_notified_at: instant.nullable,
  open_alert_id: text.nullable,
  created_at: instant,
  updated_at: instant,
});

const texts = checkedJson<readonly string[]>(z.array(z.string()));
const presetNames = Object.keys(eventPresets) as EventPreset[];

export const eventRuleTable = table("event_rule", {
  id: text,
  server_id: text,
  name: text,
  preset: mapped<EventPreset | null, string | null>(
    "text",
    (stored) => presetNames.find((name) => name === stored) ?? null,
    (value) => value,
  ),
  event_types: texts,
  categories: checkedJson<readonly EventCategory[]>(z.array(EventCategory)),
  min_severity: oneOf(EventSeverity).nullable,
  sources: texts,
  cooldown_minutes: integer,
  notify_email: flag.as("notify.email"),
  notify_chat: flag.as("notify.chat"),
  notify_in_app: flag.as("notify.in_app"),
  enabled: flag,
  muted_until: instant.nullable,
  last_triggered_at: instant.nullable,
  last_notified_at: instant.nullable,
  created_at: instant,
  updated_at: instant,
});

export const alertTable = table("alert", {
  id: text,
  account_id: text,
  server_id: text,
  server_name: text.nullable,
  kind: oneOf(AlertKind),
  status: oneOf(AlertStatus),
  rule_id: text,
  rule_name: text,
  metric: oneOf(AlertMetric).nullable,
  condition: oneOf(AlertCondition).nullable,
  threshold: real.nullable,
  duration_minutes: integer.nullable,
  value: real.nullable,
  worst_value: real.nullable,
  server_state: oneOf(ServerState),
  event: jsonOf<AlertedEvent>().nullable,
  pending_since: instant.nullable,
  opened_at: instant,
  acknowledged_at: instant.nullable,
  acknowledged_by: oneOf(Actor).nullable,
  resolved_at: instant.nullable,
  resolution_reason: oneOf(ResolutionReason).nullable,
  in_maintenance: flag,
  flapping: flag,
  /** Whether the delivery says that somebody was notified; lists filter by it. */
  notified: flag.aside,
  delivery: checkedJson<DeliveryRecord>(DeliveryRecord),
});

export interface AlertTables {
  alert_rule: RowOf<typeof alertRuleTable>;
  event_rule: RowOf<typeof eventRuleTable>;
  alert: RowOf<typeof alertTable>;
}
