import { toTimestamp, toTimestampOrNull } from "../time.ts";
import type { Alert, AlertedEvent, AlertRecord } from "./alert.ts";

/** Fields without free text; they mean the same as in the list of alerts. */
type PostedField =
  | "id"
  | "kind"
  | "server_id"
  | "server_state"
  | "rule_id"
  | "metric"
  | "condition"
  | "threshold"
  | "duration_minutes"
  | "value"
  | "worst_value"
  | "opened_at"
  | "resolved_at"
  | "resolution_reason";

/** An alert as it was when its message was queued. */
export interface PostedAlert {
  readonly alert: Pick<Alert, PostedField> & {
    readonly event: Pick<AlertedEvent, "id" | "category" | "severity" | "timestamp"> | null;
  };
  /** Text that plugins, players and the account's people wrote. */
  readonly names: Pick<Alert, "server_name" | "rule_name"> & {
    readonly event_type: string | null;
    readonly event_title: string | null;
  };
}

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
