import type { EventRule } from "./event-rule.ts";

export const exampleEventRule: EventRule = {
  id: "019a9f5e-1d00-7000-8000-000000000062",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  name: "Crashes",
  event_types: ["server_crash"],
  categories: [],
  min_severity: null,
  sources: [],
  cooldown_minutes: 30,
  notify_email: true,
  notify_chat: false,
  notify_in_app: true,
  enabled: true,
  muted_until: null,
  last_triggered_at: null,
  created_at: "2026-11-02T08:00:00.000Z",
  updated_at: "2026-11-02T08:00:00.000Z",
};
