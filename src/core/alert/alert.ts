import { z } from "zod";
import { Id } from "../id.ts";
import { ServerState } from "../server/status.ts";
import { callerName, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { EventCategory, EventSeverity } from "../event/server-event.ts";
import { AlertCondition, AlertMetric } from "./alert-rule.ts";
import { Delivery, showDelivery, wasNotified, type DeliveryRecord } from "./delivery.ts";

export const AlertKind = z.enum(["threshold", "event"]);
export type AlertKind = z.infer<typeof AlertKind>;

export const AlertStatus = z.enum(["open", "acknowledged", "resolved"]);
export type AlertStatus = z.infer<typeof AlertStatus>;

export const ResolutionReason = z.enum([
  "recovered",
  "rule_disabled",
  "rule_changed",
  "rule_deleted",
  "paused_empty",
  "no_data",
  "monitoring_off",
  "server_unlinked",
  "instantaneous",
]);
export type ResolutionReason = z.infer<typeof ResolutionReason>;

export const AlertedEvent = z.object({
  id: Id,
  type: thirdPartyText(64),
  category: EventCategory,
  severity: EventSeverity,
  title: thirdPartyText(500),
  timestamp: Timestamp.nullable(),
});
export type AlertedEvent = z.infer<typeof AlertedEvent>;

/** `api` includes connectors; `dashboard` is a person in the browser. */
export const Actor = z.enum(["api", "dashboard"]);
export type Actor = z.infer<typeof Actor>;

export const Alert = z.object({
  id: Id,
  kind: AlertKind,
  status: AlertStatus,
  server_id: Id,
  server_name: thirdPartyText(80).nullable(),
  rule_id: Id,
  rule_name: callerName(80),
  metric: AlertMetric.nullable(),
  condition: AlertCondition.nullable(),
  threshold: z.number().nullable(),
  duration_minutes: z.int().nullable(),
  value: z.number().nullable(),
  worst_value: z.number().nullable(),
  server_state: ServerState,
  event: AlertedEvent.nullable(),
  pending_since: Timestamp.nullable(),
  opened_at: Timestamp,
  acknowledged_at: Timestamp.nullable(),
  acknowledged_by: Actor.nullable(),
  resolved_at: Timestamp.nullable(),
  resolution_reason: ResolutionReason.nullable(),
  in_maintenance: z.boolean(),
  flapping: z.boolean(),
  notified: z.boolean(),
  delivery: Delivery,
});
export type Alert = z.infer<typeof Alert>;

/** Instants are by the service's clock, except those taken from a sample. */
export interface AlertRecord {
  readonly id: string;
  readonly accountId: string;
  readonly kind: AlertKind;
  readonly status: AlertStatus;
  readonly serverId: string;
  readonly serverName: string | null;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly metric: AlertMetric | null;
  readonly condition: AlertCondition | null;
  readonly threshold: number | null;
  readonly durationMinutes: number | null;
  readonly value: number | null;
  readonly worstValue: number | null;
  readonly serverState: ServerState;
  readonly event: AlertedEvent | null;
  readonly pendingSince: Instant | null;
  readonly openedAt: Instant;
  readonly acknowledgedAt: Instant | null;
  readonly acknowledgedBy: Actor | null;
  readonly resolvedAt: Instant | null;
  readonly resolutionReason: ResolutionReason | null;
  readonly inMaintenance: boolean;
  readonly flapping: boolean;
  readonly delivery: DeliveryRecord;
}

export const toAlert = (alert: AlertRecord): Alert => ({
  id: alert.id,
  kind: alert.kind,
  status: alert.status,
  server_id: alert.serverId,
  server_name: alert.serverName,
  rule_id: alert.ruleId,
  rule_name: alert.ruleName,
  metric: alert.metric,
  condition: alert.condition,
  threshold: alert.threshold,
  duration_minutes: alert.durationMinutes,
  value: alert.value,
  worst_value: alert.worstValue,
  server_state: alert.serverState,
  event: alert.event,
  pending_since: toTimestampOrNull(alert.pendingSince),
  opened_at: toTimestamp(alert.openedAt),
  acknowledged_at: toTimestampOrNull(alert.acknowledgedAt),
  acknowledged_by: alert.acknowledgedBy,
  resolved_at: toTimestampOrNull(alert.resolvedAt),
  resolution_reason: alert.resolutionReason,
  in_maintenance: alert.inMaintenance,
  flapping: alert.flapping,
  notified: wasNotified(alert.delivery),
  delivery: showDelivery(alert.delivery),
});
