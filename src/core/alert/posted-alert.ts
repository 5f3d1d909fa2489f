import { z } from "zod";
import { EventCategory, EventSeverity } from "../event/server-event.ts";
import { Id } from "../id.ts";
import { ServerState } from "../server/status.ts";
import { callerName, thirdPartyText } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { AlertKind, ResolutionReason, type AlertRecord } from "./alert.ts";
import { AlertCondition, AlertMetric } from "./alert-rule.ts";

/** What a webhook tells of an alert: nothing in it was chosen by others. Values are in the metric's unit. */
const WebhookAlert = z.object({
  id: Id,
  kind: AlertKind,
  server_id: Id,
  server_state: ServerState,
  rule_id: Id,
  metric: AlertMetric.nullable(),
  condition: AlertCondition.nullable(),
  threshold: z.number().nullable(),
  duration_minutes: z.int().nullable(),
  value: z.number().nullable(),
  worst_value: z.number().nullable(),
  opened_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  resolution_reason: ResolutionReason.nullable(),
  event: z
    .object({ id: Id, category: EventCategory, severity: EventSeverity, timestamp: Timestamp.nullable() })
    .nullable(),
});

/** The names and titles of an alert, which plugins, players and the account's people wrote. */
const AlertNames = z.object({
  server_name: thirdPartyText(80).nullable(),
  rule_name: callerName(80),
  event_type: thirdPartyText(64).nullable(),
  event_title: thirdPartyText(500).nullable(),
});

/** An alert as it was when a message about it was queued. */
export const PostedAlert = z.object({ alert: WebhookAlert, names: AlertNames }).readonly();
export type PostedAlert = z.infer<typeof PostedAlert>;

export function postedAlert(record: AlertRecord): PostedAlert {
  const { event } = record;
  return {
    alert: {
      id: record.id,
      kind: record.kind,
      server_id: record.serverId,
      server_state: record.serverState,
      rule_id: record.ruleId,
      metric: record.metric,
      condition: record.condition,
      threshold: record.threshold,
      duration_minutes: record.durationMinutes,
      value: record.value,
      worst_value: record.worstValue,
      opened_at: toTimestamp(record.openedAt),
      resolved_at: toTimestampOrNull(record.resolvedAt),
      resolution_reason: record.resolutionReason,
      event: event && {
        id: event.id,
        category: event.category,
        severity: event.severity,
        timestamp: event.timestamp,
      },
    },
    names: {
      server_name: record.serverName,
      rule_name: record.ruleName,
      event_type: event?.type ?? null,
      event_title: event?.title ?? null,
    },
  };
}
