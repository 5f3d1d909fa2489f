import type { AlertRulePreview, Unrecorded } from "../../core/alert/preview-answer.ts";
import { shownDuration, shownTime } from "../../core/text/plain-words.ts";
import type { AlertMetric } from "../../core/alert/alert-rule.ts";
import { longestRuleMinutes, metricLimits } from "../../core/alert/limits.ts";
import type { Refusal } from "../../core/errors.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";

/** An alert that the rule would have raised. */
export type PreviewedAlert = AlertRulePreview["episodes"][number];

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** The end of a sentence: the period, or its part since the first measurement. */
export function previewPeriod({
  from,
  to,
  first_sample_at,
}: Pick<AlertRulePreview, "from" | "to" | "first_sample_at">): string {
  const begin = first_sample_at === null ? null : Date.parse(first_sample_at);
  if (begin !== null && begin - Date.parse(from) > dayMs)
    return `since ${shownTime(begin)}, when its measurements begin`;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
  return days === 1 ? "in the last day" : `in the last ${days} days`;
}

/** One or two sentences. */
export function previewSentence(preview: AlertRulePreview): string {
  const { episodes_total, episodes, minutes_in_alert, samples, to } = preview;
  const period = previewPeriod(preview);
  if (samples === 0) return `Nothing was measured ${period}, so nothing can be said of this rule.`;
  if (episodes_total === 0) return `This rule would not have fired ${period}.`;
  const inAlert = shownDuration(minutes_in_alert * minuteMs);
  const longest = Math.max(...episodes.map((episode) => episodeMs(episode, Date.parse(to))));
  const isWhole = episodes_total > 1 && episodes.length === episodes_total;
  return `This rule would have fired ${times(episodes_total)} ${period}. It would have been in alert for ${inAlert}${isWhole ? `, the longest time for ${shownDuration(longest)}` : ""}.`;
}

/** ms; up to `to` if the alert would still be open. */
export const episodeMs = (
  { opened_at, resolved_at }: Pick<PreviewedAlert, "opened_at" | "resolved_at">,
  to: Instant,
): number => (resolved_at === null ? to : Date.parse(resolved_at)) - Date.parse(opened_at);

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Messages for each channel, and alerts without a message. */
export function previewMessages({ messages, kept_back }: AlertRulePreview): string {
  const { opened, resolved } = messages;
  const sent =
    opened + resolved === 0
      ? "No message would have been sent."
      : `Each channel would have sent ${counted(opened + resolved, "message", "messages")}: ${opened} at the start of an alert, ${resolved} at its end.`;
  const kept = (["cooldown", "flapping", "maintenance"] as const)
    .filter((reason) => kept_back[reason] > 0)
    .map((reason) => `${kept_back[reason]} because of ${keptBackWords[reason]}`);
  return kept.length === 0 ? sent : `${sent} Alerts without a message: ${kept.join(", ")}.`;
}

/** What live evaluation knew of it; null if every measurement came in time. */
export function lateSentence({ late_samples, live_would_have_seen }: AlertRulePreview): string | null {
  if (late_samples === 0) return null;
  const { episodes_total } = live_would_have_seen;
  const seen = episodes_total === 0 ? "would not have fired" : `would have fired ${times(episodes_total)}`;
  return `${counted(late_samples, "measurement", "measurements")} came later than made. By those that came in time, this rule ${seen}.`;
}

/** Why nobody would have been notified, as the end of a sentence. */
export const keptBackWords: Readonly<Record<keyof AlertRulePreview["kept_back"], string>> = {
  maintenance: "maintenance",
  flapping: "flapping",
  cooldown: "the cooldown",
};

/** What is not on record, so that the rule may have acted in another way. */
export const unrecordedWords: Readonly<Record<Unrecorded, string>> = {
  announced_stops: "Stops that the server announced are not on record: a silence counts as no heartbeat.",
  monitoring_switched_off:
    "Times with monitoring switched off are not on record: they count as no heartbeat.",
  heartbeats_without_sample: "Heartbeats without a measurement are not on record: they count as silence.",
  maintenance_changed: "If a maintenance was moved, only its last times are on record.",
};

/** In the words of the form. */
export function previewRefusal(refusal: Refusal, metric: AlertMetric | null): string {
  switch (refusal.details["field"]) {
    case "metric":
      return "Choose what the rule watches.";
    case "condition":
      return "Choose below or above.";
    case "duration_minutes":
    case "cooldown_minutes":
      return `Duration and cooldown are whole numbers of minutes from 0 to ${longestRuleMinutes}.`;
    case "threshold": {
      if (metric === null || metric === "offline") return refusal.message;
      const { min, max, integer } = metricLimits[metric];
      return `The threshold is a ${integer ? "whole number" : "number"} from ${min} to ${max}.`;
    }
    default:
      return refusal.message;
  }
}
