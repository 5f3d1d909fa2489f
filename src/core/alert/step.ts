import type { Instant } from "../time.ts";
import type { RuleProgress } from "./alert-rule.ts";
import type { AlertChange } from "./verdict.ts";

/** A longer gap between samples interrupts a breach; without a sample for this long there is no data, ms. */
export const gapMs = 90_000;
/** How long a metric must be good, or a server online, to end its alert, ms. */
export const recoveryMs = 60_000;
/** An open alert without data ends after this, ms. */
export const dataLossMs = 15 * 60_000;
/** A pause of this length ends alerts on `tps` and `mspt`, ms. */
export const pauseEndsMs = 2 * 60_000;

/** Every server is evaluated by time alone this often, ms. */
export const sweepMs = 30_000;

/** What a fact changes, before notifications are decided. */
export interface AlertStep extends Pick<RuleProgress, "state" | "pendingSince" | "recoveringSince"> {
  readonly change:
    | { readonly kind: "open"; readonly pendingSince: Instant; readonly value: number | null }
    | Extract<AlertChange, { kind: "worsen" | "resolve" }>
    | null;
}

/** A step with no breach or recovery in progress. */
export const settled = (state: RuleProgress["state"], change: AlertStep["change"] = null): AlertStep => ({
  state,
  pendingSince: null,
  recoveringSince: null,
  change,
});

/** Null if the instant is after `now`: it was written by a wrong clock. */
export const believed = (kept: Instant | null, now: Instant): Instant | null =>
  kept !== null && kept <= now ? kept : null;
