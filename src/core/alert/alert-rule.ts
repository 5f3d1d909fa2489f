import { z } from "zod";
import { addition } from "../addition.ts";
import { Id } from "../id.ts";
import { seriesFields } from "../metric/fields.ts";
import type { Sample } from "../metric/sample.ts";
import { unknownFieldHint } from "../metric/unmeasured.ts";
import { hinting } from "../name-hints.ts";
import { callerName } from "../text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { ChannelSwitches } from "./delivery.ts";

const alertMetrics = [
  "tps",
  "mspt",
  "player_count",
  "entity_count",
  "ram_used_mb",
  "cpu_usage",
  "disk_free_mb",
  "offline",
] as const;

/** A field of a sample, or the server's silence (`offline`). */
export const AlertMetric = hinting(addition(z.enum(alertMetrics), ["disk_free_mb"]), (name) =>
  unknownFieldHint(name, alertMetrics, seriesFields),
);
export type AlertMetric = z.infer<typeof AlertMetric>;
export type SampleMetric = Exclude<AlertMetric, "offline">;

export const AlertCondition = z.enum(["below", "above"]);
export type AlertCondition = z.infer<typeof AlertCondition>;

/** `paused`: the rule is switched off, or the server is not monitored. */
export const RuleState = z.enum(["ok", "pending", "firing", "no_data", "paused"]);
export type RuleState = z.infer<typeof RuleState>;

export const AlertRule = z.object({
  id: Id,
  server_id: Id,
  name: callerName(80),
  metric: AlertMetric,
  condition: AlertCondition.nullable(),
  threshold: z.number().nullable(),
  duration_minutes: z.int(),
  cooldown_minutes: z.int(),
  notify_email: z.boolean(),
  notify_chat: z.boolean(),
  notify_in_app: z.boolean(),
  enabled: z.boolean(),
  muted_until: Timestamp.nullable(),
  state: RuleState,
  state_since: Timestamp,
  last_value: z.number().nullable(),
  last_triggered_at: Timestamp.nullable(),
  last_notified_at: Timestamp.nullable(),
  open_alert_id: Id.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type AlertRule = z.infer<typeof AlertRule>;

/** `condition` and `threshold` (in the metric's unit) are null only for `offline`. */
export interface RuleDefinition {
  readonly name: string;
  readonly metric: AlertMetric;
  readonly condition: AlertCondition | null;
  readonly threshold: number | null;
  readonly durationMinutes: number;
  readonly cooldownMinutes: number;
  readonly notify: ChannelSwitches;
  readonly enabled: boolean;
  readonly mutedUntil: Instant | null;
}

/** The state that evaluation keeps between two facts. */
export const RuleProgress = z
  .object({
    state: RuleState,
    since: z.number(),
    /** Start of the present breach; null without one or while an alert is open. */
    pendingSince: z.number().nullable(),
    /** Since when the metric of an open alert is good again; null while it is not. */
    recoveringSince: z.number().nullable(),
    /** When the server was last monitored again after a pause; null if there was none. */
    resumedAt: z.number().nullable(),
    /** The last five openings, oldest first: enough to detect flapping. */
    openings: z.array(z.number()).readonly(),
    /** The opening that started the last flapping; null if there was none. */
    flappingSince: z.number().nullable(),
  })
  .readonly();
export type RuleProgress = z.infer<typeof RuleProgress>;

export interface RuleRecord extends RuleDefinition {
  /** The end of a mute that the owner was last notified of. */
  readonly muteToldUntil: Instant | null;
  readonly id: string;
  readonly serverId: string;
  readonly progress: RuleProgress;
  readonly lastTriggeredAt: Instant | null;
  /** The last opening that was sent to somebody. */
  readonly lastNotifiedAt: Instant | null;
  readonly openAlertId: string | null;
  readonly createdAt: Instant;
  /** Changes with the definition, not with evaluation. */
  readonly updatedAt: Instant;
}

export type EvaluatedRule = Pick<
  RuleRecord,
  | "metric"
  | "condition"
  | "threshold"
  | "durationMinutes"
  | "cooldownMinutes"
  | "enabled"
  | "mutedUntil"
  | "progress"
  | "lastNotifiedAt"
>;

export const freshProgress = (enabled: boolean, now: Instant): RuleProgress => ({
  state: enabled ? "no_data" : "paused",
  since: now,
  pendingSince: null,
  recoveringSince: null,
  resumedAt: null,
  openings: [],
  flappingSince: null,
});

/** The rule's metric in the server's last sample; null for `offline` or if it is not measured. */
export const lastValueOf = ({ metric }: Pick<RuleRecord, "metric">, sample: Sample | null): number | null =>
  metric === "offline" || sample === null ? null : sample[metric];

export const toAlertRule = (rule: RuleRecord, lastValue: number | null): AlertRule => ({
  id: rule.id,
  server_id: rule.serverId,
  name: rule.name,
  metric: rule.metric,
  condition: rule.condition,
  threshold: rule.threshold,
  duration_minutes: rule.durationMinutes,
  cooldown_minutes: rule.cooldownMinutes,
  notify_email: rule.notify.email,
  notify_chat: rule.notify.chat,
  notify_in_app: rule.notify.in_app,
  enabled: rule.enabled,
  muted_until: toTimestampOrNull(rule.mutedUntil),
  state: rule.progress.state,
  state_since: toTimestamp(rule.progress.since),
  last_value: lastValue,
  last_triggered_at: toTimestampOrNull(rule.lastTriggeredAt),
  last_notified_at: toTimestampOrNull(rule.lastNotifiedAt),
  open_alert_id: rule.openAlertId,
  created_at: toTimestamp(rule.createdAt),
  updated_at: toTimestamp(rule.updatedAt),
});
