import type { AlertRule } from "../../../core/alert/alert-rule.ts";

/** The rule the documentation's examples speak of. */
export const exampleRule: AlertRule = {
  id: "019a9f5e-1d00-7000-8000-000000000060",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  name: "Low TPS",
  metric: "tps",
  condition: "below",
  threshold: 18,
  duration_minutes: 5,
  cooldown_minutes: 30,
  notify_email: true,
  notify_chat: false,
  notify_in_app: true,
  enabled: true,
  muted_until: null,
  state: "ok",
  state_since: "2026-11-19T18:03:00.000Z",
  last_value: 19.98,
  last_triggered_at: null,
  last_notified_at: null,
  open_alert_id: null,
  created_at: "2026-11-02T08:00:00.000Z",
  updated_at: "2026-11-02T08:00:00.000Z",
};
