import { dayMs, hourMs, minuteMs, secondMs, type Instant } from "../time.ts";
import type { SendFailed } from "./notifier.ts";

/** How long a failed message is retried, ms. */
export const retryForMs = dayMs;

/**
 * Pauses after failed attempts, ms: seconds for a lost connection, minutes for a mail server that refuses a
 * stranger's first try (commonly 5 to 15 minutes), and at most an hour, so that a message goes out within an
 * hour after an outage.
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

/** Attempts made however old the message is: a service that was off for two days tries, too. */
const fewestAttempts = growingMs.length + 1;
/** The attempts of a day with these pauses; a wrong clock causes no more. */
export const mostAttempts = fewestAttempts + (retryForMs - hourMs) / longestPauseMs;

/** Few, because each of them may have arrived; the pauses, ms, outlast a mail server that hangs. */
export const mostUnanswered = 3;
const unansweredPausesMs = [10 * minuteMs, hourMs];

export interface Attempted {
  readonly queuedAt: Instant;
  /** Counted from 1. */
  readonly attempt: number;
  /** Earlier attempts that were not answered. */
  readonly unanswered: number;
}

/** Attempts that were not answered, this one included. */
export const unansweredAfter = ({ unanswered }: Attempted, { again }: SendFailed): number =>
  again === "unknown" ? unanswered + 1 : unanswered;

/** Null: the message is given up. */
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
