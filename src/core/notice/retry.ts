import { dayMs, hourMs, minuteMs, secondMs, type Instant } from "../time.ts";
import type { SendFailed } from "./notifier.ts";

/** A message that does not go out is tried again for so long, ms. */
export const retryForMs = dayMs;

/**
 * The pauses after failed attempts, ms. They grow: seconds for a connection that was lost, minutes for a mail server
 * that takes a stranger's mail only at the second try (commonly after 5 to 15 minutes), and no longer than an hour,
 * so that a late message goes out within an hour of the end of an outage.
 */
const growingMs = [
  30 * secondMs,
  90 * secondMs,
  3 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
  25 * minuteMs,
];
const longestPauseMs = hourMs;

/** The first hour's attempts are made however old the message is: a service that was off for two days tries too. */
const fewestAttempts = growingMs.length + 1;
/** What a day of these pauses comes to; whatever a clock does, there are no more. */
export const mostAttempts = fewestAttempts + (retryForMs - hourMs) / longestPauseMs;

/**
 * Attempts of a message whose end nobody knows: each may have arrived, so there are few of them. Their pauses, ms,
 * outlast a mail server that hangs.
 */
export const mostUnanswered = 3;
const unansweredPausesMs = [10 * minuteMs, hourMs];

/** Where a message stands after an attempt. */
export interface Attempted {
  /** When the message was queued. */
  readonly queuedAt: Instant;
  /** This attempt's number, from 1. */
  readonly attempt: number;
  /** The earlier ones whose end nobody knows. */
  readonly unanswered: number;
}

/** How many attempts had no known end, this one included. */
export const unansweredAfter = ({ unanswered }: Attempted, { again }: SendFailed): number =>
  again === "unknown" ? unanswered + 1 : unanswered;

/** When a message whose attempt failed at `now` is tried again; null: it is given up. */
export function nextAttemptAt(attempted: Attempted, failure: SendFailed, now: Instant): Instant | null {
  const { queuedAt, attempt } = attempted;
  const unanswered = unansweredAfter(attempted, failure);
  if (failure.again === "never" || attempt >= mostAttempts || unanswered >= mostUnanswered) return null;
  const early = attempt < fewestAttempts;
  const last = Math.max(queuedAt + retryForMs, early ? now + hourMs : now);
  const retryAfterMs = failure.retryAfterMs ?? 0;
  if (last <= now || retryAfterMs > Math.min(last - now, retryForMs)) return null;
  const usual = growingMs[attempt - 1] ?? longestPauseMs;
  const unknown = failure.again === "unknown" ? (unansweredPausesMs[unanswered - 1] ?? 0) : 0;
  return Math.min(now + Math.max(usual, unknown, retryAfterMs), last);
}
