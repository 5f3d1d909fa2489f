import type { AlertRulePreview } from "../../../core/alert/preview-answer.ts";

/** A week in which the server was overloaded for one evening. */
export const examplePreview: AlertRulePreview = {
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  metric: "tps",
  condition: "below",
  threshold: 18,
  duration_minutes: 5,
  cooldown_minutes: 30,
  from: "2026-11-13T07:34:00.000Z",
  to: "2026-11-20T07:34:00.000Z",
  samples: 20_148,
  late_samples: 0,
  first_sample_at: "2026-11-13T07:34:17.000Z",
  last_sample_at: "2026-11-20T07:33:47.512Z",
  minutes_in_alert: 41.5,
  messages: { opened: 1, resolved: 1 },
  kept_back: { maintenance: 0, flapping: 0, cooldown: 1 },
  episodes_total: 2,
  live_would_have_seen: { episodes_total: 2, minutes_in_alert: 41.5 },
  episodes: [
    {
      opened_at: "2026-11-18T19:21:47.000Z",
      resolved_at: "2026-11-18T19:30:17.000Z",
      resolution_reason: "recovered",
      worst_value: 15.2,
      notified: false,
      quiet_reason: "cooldown",
    },
    {
      opened_at: "2026-11-18T18:40:17.000Z",
      resolved_at: "2026-11-18T19:13:17.000Z",
      resolution_reason: "recovered",
      worst_value: 11.8,
      notified: true,
      quiet_reason: null,
    },
  ],
  not_recorded: [],
};
