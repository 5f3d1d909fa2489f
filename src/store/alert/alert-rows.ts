import {
  AlertCondition,
  AlertMetric,
  type RuleProgress,
  type RuleRecord,
} from "../../core/alert/alert-rule.ts";
import {
  Actor,
  AlertKind,
  AlertStatus,
  ResolutionReason,
  type AlertedEvent,
  type AlertRecord,
} from "../../core/alert/alert.ts";
import { wasNotified, type DeliveryRecord } from "../../core/alert/delivery.ts";
import { ServerState } from "../../core/server/status.ts";
import type { Tables } from "../schema/tables.ts";

type RuleTable = Tables["alert_rule"];
export type RuleRow = Pick<RuleTable, keyof RuleTable>;

export const ruleColumns = [
  "id",
  "server_id",
  "name",
  "metric",
  "condition",
  "threshold",
  "duration_minutes",
  "cooldown_minutes",
  "notify_email",
  "notify_chat",
  "notify_in_app",
  "enabled",
  "muted_until",
  "mute_told_until",
  "progress",
  "last_triggered_at",
  "last_notified_at",
  "open_alert_id",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof RuleRow)[];

export const toRule = (row: RuleRow): RuleRecord => ({
  id: row.id,
  serverId: row.server_id,
  name: row.name,
  metric: AlertMetric.parse(row.metric),
  condition: AlertCondition.nullable().parse(row.condition),
  threshold: row.threshold,
  durationMinutes: row.duration_minutes,
  cooldownMinutes: row.cooldown_minutes,
  notify: { email: row.notify_email === 1, chat: row.notify_chat === 1, in_app: row.notify_in_app === 1 },
  enabled: row.enabled === 1,
  mutedUntil: row.muted_until,
  muteToldUntil: row.mute_told_until,
  // What was written as a RuleProgress is read as one.
  progress: JSON.parse(row.progress) as RuleProgress,
  lastTriggeredAt: row.last_triggered_at,
  lastNotifiedAt: row.last_notified_at,
  openAlertId: row.open_alert_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const fromRule = (rule: RuleRecord): RuleRow => ({
  id: rule.id,
  server_id: rule.serverId,
  name: rule.name,
  metric: rule.metric,
  condition: rule.condition,
  threshold: rule.threshold,
  duration_minutes: rule.durationMinutes,
  cooldown_minutes: rule.cooldownMinutes,
  notify_email: Number(rule.notify.email),
  notify_chat: Number(rule.notify.chat),
  notify_in_app: Number(rule.notify.in_app),
  enabled: Number(rule.enabled),
  muted_until: rule.mutedUntil,
  mute_told_until: rule.muteToldUntil,
  progress: JSON.stringify(rule.progress),
  last_triggered_at: rule.lastTriggeredAt,
  last_notified_at: rule.lastNotifiedAt,
  open_alert_id: rule.openAlertId,
  created_at: rule.createdAt,
  updated_at: rule.updatedAt,
});

type AlertTable = Tables["alert"];
export type AlertRow = Pick<AlertTable, keyof AlertTable>;

export const toAlertRecord = (row: AlertRow): AlertRecord => ({
  id: row.id,
  accountId: row.account_id,
  kind: AlertKind.parse(row.kind),
  status: AlertStatus.parse(row.status),
  serverId: row.server_id,
  serverName: row.server_name,
  ruleId: row.rule_id,
  ruleName: row.rule_name,
  metric: AlertMetric.nullable().parse(row.metric),
  condition: AlertCondition.nullable().parse(row.condition),
  threshold: row.threshold,
  durationMinutes: row.duration_minutes,
  value: row.value,
  worstValue: row.worst_value,
  serverState: ServerState.parse(row.server_state),
  event: row.event === null ? null : (JSON.parse(row.event) as AlertedEvent),
  pendingSince: row.pending_since,
  openedAt: row.opened_at,
  acknowledgedAt: row.acknowledged_at,
  acknowledgedBy: Actor.nullable().parse(row.acknowledged_by),
  resolvedAt: row.resolved_at,
  resolutionReason: ResolutionReason.nullable().parse(row.resolution_reason),
  inMaintenance: row.in_maintenance === 1,
  flapping: row.flapping === 1,
  delivery: JSON.parse(row.delivery) as DeliveryRecord,
});

export const fromAlert = (alert: AlertRecord): AlertRow => ({
  id: alert.id,
  account_id: alert.accountId,
  server_id: alert.serverId,
  server_name: alert.serverName,
  kind: alert.kind,
  status: alert.status,
  rule_id: alert.ruleId,
  rule_name: alert.ruleName,
  metric: alert.metric,
  condition: alert.condition,
  threshold: alert.threshold,
  duration_minutes: alert.durationMinutes,
  value: alert.value,
  worst_value: alert.worstValue,
  server_state: alert.serverState,
  event: alert.event === null ? null : JSON.stringify(alert.event),
  pending_since: alert.pendingSince,
  opened_at: alert.openedAt,
  acknowledged_at: alert.acknowledgedAt,
  acknowledged_by: alert.acknowledgedBy,
  resolved_at: alert.resolvedAt,
  resolution_reason: alert.resolutionReason,
  in_maintenance: Number(alert.inMaintenance),
  flapping: Number(alert.flapping),
  notified: Number(wasNotified(alert.delivery)),
  delivery: JSON.stringify(alert.delivery),
});
