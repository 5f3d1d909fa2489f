import type { Instant } from "../time.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { AlertChange } from "./verdict.ts";

/** A sample later than this after the one before does not continue it; without one for so long there is no data. */
export const gapMs = 90_000;
/** How long a metric must be good, or a server online, for its alert to be over. */
export const recoveryMs = 60_000;
/** An alert without data for so long is given up. */
export const dataLossMs = 15 * 60_000;
/** A pause that lasts so long ends the alerts about ticking. */
export const pauseEndsMs = 2 * 60_000;

/** How often every server is evaluated by time alone. */
export const sweepMs = 30_000;

/** What a fact does to a rule, before it is decided who is notified. */
export interface AlertStep extends Pick<RuleProgress, "state" | "pendingSince" | "recoveringSince"> {
  readonly change:
    | { readonly kind: "open"; readonly pendingSince: Instant; readonly value: number | null }
    | Extract<AlertChange, { kind: "worsen" | "resolve" }>
    | null;
}

/** A step that leaves nothing to wait for. */
export const settled = (state: RuleProgress["state"], change: AlertStep["change"] = null): AlertStep => ({
  state,
  pendingSince: null,
  recoveringSince: null,
  change,
});

/** A kept instant that still means something at `now`: one ahead of it was written by a clock that was wrong. */
export const believed = (kept: Instant | null, now: Instant): Instant | null =>
  kept !== null && kept <= now ? kept : null;
