import { dayMs, hourMs, type Instant } from "../time.ts";

/** A window opens with its first counted call and lasts its full length. */
export const dayWindowMs = dayMs;
export const hourWindowMs = hourMs;

/** One counter: who is counted (`key`) in which kind of window, how long it lasts and how much it allows. */
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

/** A counter as it stands: `resetAt` is null while no window is open. */
export interface WindowState {
  readonly limit: number;
  readonly used: number;
  readonly lengthMs: number;
  readonly resetAt: Instant | null;
}

export interface Consumed {
  readonly granted: boolean;
  /** The place of the rule whose window was full; null when all granted. */
  readonly full: number | null;
  /** The states in the order of the rules: as counted, or, after a refusal, as they stand a moment later. */
  readonly states: readonly WindowState[];
}

/** The windows of a caller, as headers and `_meta` tell them. An anonymous caller has no hour window. */
export interface RateWindows {
  readonly day: WindowState;
  readonly hour: WindowState | null;
}

export const remaining = (state: WindowState): number => Math.max(0, state.limit - state.used);

/** When the window ends, or would end if it opened now. */
export const resetInstant = (state: WindowState, now: Instant): Instant =>
  state.resetAt ?? now + state.lengthMs;

/** The window that refuses first: fewer calls remaining, and on a tie the one that resets later. */
export function bindingWindow(windows: RateWindows, now: Instant): "day" | "hour" {
  if (windows.hour === null) return "day";
  const difference = remaining(windows.day) - remaining(windows.hour);
  if (difference !== 0) return difference < 0 ? "day" : "hour";
  return resetInstant(windows.day, now) >= resetInstant(windows.hour, now) ? "day" : "hour";
}
