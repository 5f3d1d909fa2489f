import { dayMs, hourMs, type Instant } from "../time.ts";

/** A window opens with its first counted call and lasts its full length, ms. */
export const dayWindowMs = dayMs;
export const hourWindowMs = hourMs;

/** One counter; `key` says who is counted. */
export interface WindowRule {
  readonly kind:
    | "account_day"
    | "address_day"
    | "token_hour"
    | "address_bad_credential"
    | "address_link_code"
    | "address_link_claim"
    | "address_token_request"
    | "address_form"
    | "account_relink"
    | "account_confirmation"
    | "address_registration"
    | "address_client_document"
    | "address_password"
    | "account_password"
    | "address_own_password"
    | "session_password"
    | "device_password"
    | "address_factor"
    | "account_factor"
    | "session_factor"
    | "device_factor"
    | "passkey_challenge"
    | "address_sign_up"
    | "address_mail"
    | "account_mail";
  readonly key: string;
  readonly lengthMs: number;
  readonly limit: number;
}

/** `resetAt` is null while no window is open. */
export interface WindowState {
  readonly limit: number;
  readonly used: number;
  readonly lengthMs: number;
  readonly resetAt: Instant | null;
}

export interface Consumed {
  readonly granted: boolean;
  /** Index of the rule whose window was full; null if all granted the call. */
  readonly full: number | null;
  /** In the order of the rules: after the count, or as read right after a refusal. */
  readonly states: readonly WindowState[];
}

/** An anonymous caller has no hour window. */
export interface RateWindows {
  readonly day: WindowState;
  readonly hour: WindowState | null;
}

export const remaining = (state: WindowState): number => Math.max(0, state.limit - state.used);

/** When the window ends; if none is open, when one that opens now would end. */
export const resetInstant = (state: WindowState, now: Instant): Instant =>
  state.resetAt ?? now + state.lengthMs;

/** The window with fewer calls left; on a tie the one that resets later. */
export function bindingWindow(windows: RateWindows, now: Instant): "day" | "hour" {
  if (windows.hour === null) return "day";
  const difference = remaining(windows.day) - remaining(windows.hour);
  if (difference !== 0) return difference < 0 ? "day" : "hour";
  return resetInstant(windows.day, now) >= resetInstant(windows.hour, now) ? "day" : "hour";
}
