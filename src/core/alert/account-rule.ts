import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import { AlertKind } from "./alert.ts";
import { AlertRule } from "./alert-rule.ts";
import { EventRule } from "./event-rule.ts";

const ofThreshold = AlertRule.shape;
const ofEvent = EventRule.shape;

/** A rule of either kind. What only the other kind has is null. */
export const AccountRule = z.object({
  id: ofThreshold.id,
  kind: AlertKind,
  server_id: ofThreshold.server_id,
  server_name: thirdPartyText(80).nullable(),
  name: ofThreshold.name,
  enabled: ofThreshold.enabled,
  metric: ofThreshold.metric.nullable(),
  condition: ofThreshold.condition,
  threshold: ofThreshold.threshold,
  duration_minutes: ofThreshold.duration_minutes.nullable(),
  event_types: ofEvent.event_types.nullable(),
  categories: ofEvent.categories.nullable(),
  min_severity: ofEvent.min_severity,
  sources: ofEvent.sources.nullable(),
  cooldown_minutes: ofThreshold.cooldown_minutes,
  notify_email: ofThreshold.notify_email,
  notify_chat: ofThreshold.notify_chat,
  notify_in_app: ofThreshold.notify_in_app,
  muted_until: ofThreshold.muted_until,
  state: ofThreshold.state.nullable(),
  state_since: ofThreshold.state_since.nullable(),
  last_value: ofThreshold.last_value,
  last_triggered_at: ofThreshold.last_triggered_at,
  last_notified_at: ofThreshold.last_notified_at,
  open_alert_id: ofThreshold.open_alert_id,
  created_at: ofThreshold.created_at,
  updated_at: ofThreshold.updated_at,
});
export type AccountRule = z.infer<typeof AccountRule>;

export const thresholdRuleOf = (rule: AlertRule, server_name: string | null): AccountRule => ({
  ...rule,
  kind: "threshold",
  server_name,
  event_types: null,
  categories: null,
  min_severity: null,
  sources: null,
});

export const eventRuleOf = (rule: EventRule, server_name: string | null): AccountRule => ({
  ...rule,
  kind: "event",
  server_name,
  metric: null,
  condition: null,
  threshold: null,
  duration_minutes: null,
  state: null,
  state_since: null,
  last_value: null,
  last_notified_at: null,
  open_alert_id: null,
});
