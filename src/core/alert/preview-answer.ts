import { z } from "zod";
import { Id } from "../id.ts";
import { minuteMs, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { ResolutionReason } from "./alert.ts";
import { AlertCondition, AlertMetric } from "./alert-rule.ts";
import type { PreviewOutcome, PreviewRequest } from "./preview.ts";
import type { Episode } from "./rule-replay.ts";

/** Facts that are not on record, so that live evaluation may have differed. */
export const Unrecorded = z.enum([
  "announced_stops",
  "monitoring_switched_off",
  "heartbeats_without_sample",
  "maintenance_changed",
]);
export type Unrecorded = z.infer<typeof Unrecorded>;

export const PreviewEpisode = z.object({
  opened_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  resolution_reason: ResolutionReason.nullable(),
  worst_value: z.number().nullable(),
  notified: z.boolean(),
  quiet_reason: z.enum(["maintenance", "flapping", "cooldown"]).nullable(),
});

/**
 * What a rule makes of everything that was measured, also of what came late (`late_samples` of `samples`);
 * `live_would_have_seen` is what it makes of the samples that came in time.
 */
export const AlertRulePreview = z.object({
  server_id: Id,
  metric: AlertMetric,
  condition: AlertCondition.nullable(),
  threshold: z.number().nullable(),
  duration_minutes: z.int(),
  cooldown_minutes: z.int(),
  from: Timestamp,
  to: Timestamp,
  samples: z.int(),
  late_samples: z.int(),
  first_sample_at: Timestamp.nullable(),
  last_sample_at: Timestamp.nullable(),
  minutes_in_alert: z.number(),
  messages: z.object({ opened: z.int(), resolved: z.int() }),
  kept_back: z.object({ maintenance: z.int(), flapping: z.int(), cooldown: z.int() }),
  episodes_total: z.int(),
  live_would_have_seen: z.object({ episodes_total: z.int(), minutes_in_alert: z.number() }),
  episodes: z.array(PreviewEpisode),
  not_recorded: z.array(Unrecorded),
});
export type AlertRulePreview = z.infer<typeof AlertRulePreview>;

/** Tenths of a minute: finer than the 30 seconds between two samples. */
const toMinutes = (ms: Instant): number => Math.round((10 * ms) / minuteMs) / 10;

/** A previewed rule has no mute. */
const quietReason = ({ quiet }: Episode) => (quiet === "muted" ? null : quiet);

function unrecorded({ rule, maintenance, from }: PreviewRequest): Unrecorded[] {
  const ofSilence = ["announced_stops", "monitoring_switched_off", "heartbeats_without_sample"] as const;
  return [
    ...(rule.metric === "offline" ? ofSilence : []),
    ...(maintenance.some(({ endsAt }) => endsAt > from) ? (["maintenance_changed"] as const) : []),
  ];
}

export function toAlertRulePreview(
  serverId: string,
  request: PreviewRequest,
  outcome: PreviewOutcome,
): AlertRulePreview {
  const { rule, from, to } = request;
  const { maintenance, flapping, cooldown } = outcome.keptBack;
  return {
    server_id: serverId,
    metric: rule.metric,
    condition: rule.condition,
    threshold: rule.threshold,
    duration_minutes: rule.durationMinutes,
    cooldown_minutes: rule.cooldownMinutes,
    from: toTimestamp(from),
    to: toTimestamp(to),
    samples: outcome.samples,
    late_samples: outcome.lateSamples,
    first_sample_at: toTimestampOrNull(outcome.firstSampleAt),
    last_sample_at: toTimestampOrNull(outcome.lastSampleAt),
    minutes_in_alert: toMinutes(outcome.alertMs),
    messages: { opened: outcome.openedMessages, resolved: outcome.resolvedMessages },
    kept_back: { maintenance, flapping, cooldown },
    episodes_total: outcome.episodesTotal,
    live_would_have_seen: {
      episodes_total: outcome.live.episodesTotal,
      minutes_in_alert: toMinutes(outcome.live.alertMs),
    },
    episodes: outcome.episodes.map((episode) => ({
      opened_at: toTimestamp(episode.openedAt),
      resolved_at: toTimestampOrNull(episode.resolvedAt),
      resolution_reason: episode.resolutionReason,
      worst_value: episode.worstValue,
      notified: episode.notified,
      quiet_reason: quietReason(episode),
    })),
    not_recorded: unrecorded(request),
  };
}
