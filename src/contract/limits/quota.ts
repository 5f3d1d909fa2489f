import { consumeWindows, selectWindowStates } from "../../store/access/rate-windows.ts";
import {
  dayWindowMs,
  hourWindowMs,
  resetInstant,
  type RateWindows,
  type WindowRule,
  type WindowState,
} from "../../core/access/rate-window.ts";
import { Refusal } from "../../core/errors.ts";
import { toTimestamp, type Instant } from "../../core/time.ts";
import type { AccountCaller, AnonymousCaller, TokenCaller } from "../call/caller.ts";
import type { AppContext } from "../call/app-context.ts";

/** For Retry-After: whole seconds, at least one. */
export const secondsUntil = (instant: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((instant - now) / 1000));

const addressDay = (app: AppContext, address: string): WindowRule => ({
  kind: "address_day",
  key: address,
  lengthMs: dayWindowMs,
  limit: app.plans.free.daily_calls,
});

/** All tokens of an account share this window. */
export const accountDay = ({ account, limits }: AccountCaller): WindowRule => ({
  kind: "account_day",
  key: account.id,
  lengthMs: dayWindowMs,
  limit: limits.daily_calls,
});

const tokenHour = ({ token, limits }: TokenCaller): WindowRule => ({
  kind: "token_hour",
  key: token.id,
  lengthMs: hourWindowMs,
  limit: limits.hourly_calls,
});

/** `refusal` is null if the call is allowed. */
export interface CountedCall {
  readonly windows: RateWindows;
  readonly refusal: Refusal | null;
}

/** A refused call is counted nowhere. */
export async function countCall(
  app: AppContext,
  caller: AnonymousCaller | TokenCaller,
  hourOnly: boolean,
  now: Instant,
): Promise<CountedCall> {
  if (caller.kind === "anonymous") {
    const { granted, states } = await consumeWindows(app.db, [addressDay(app, caller.address)], now);
    const windows = windowsOf(states);
    return { windows, refusal: granted ? null : dailyRefusal(windows.day, now, "address") };
  }
  if (hourOnly) {
    const { granted, states } = await consumeWindows(app.db, [tokenHour(caller)], now);
    const [day] = await app.db.read(selectWindowStates, [accountDay(caller)], now);
    const windows = windowsOf([day, ...states]);
    return { windows, refusal: granted ? null : hourlyRefusal(windows, now) };
  }
  const { full, states } = await consumeWindows(app.db, [accountDay(caller), tokenHour(caller)], now);
  const windows = windowsOf(states);
  if (full === null) return { windows, refusal: null };
  return {
    windows,
    refusal: full === 0 ? dailyRefusal(windows.day, now, "account") : hourlyRefusal(windows, now),
  };
}

/** The windows without counting a call: the token's, or without a valid token the address's. */
export async function peekWindows(
  app: AppContext,
  caller: TokenCaller | { kind: "anonymous"; address: string },
  now: Instant,
): Promise<RateWindows> {
  const rules =
    caller.kind === "token" ? [accountDay(caller), tokenHour(caller)] : [addressDay(app, caller.address)];
  return windowsOf(await app.db.read(selectWindowStates, rules, now));
}

/** Shown if the database does not answer: the published limit, nothing used. */
export const unknownWindows = (app: AppContext): RateWindows => ({
  day: { limit: app.plans.free.daily_calls, used: 0, lengthMs: dayWindowMs, resetAt: null },
  hour: null,
});

function windowsOf([day, hour]: readonly (WindowState | undefined)[]): RateWindows {
  if (!day) throw new Error("A rate window store answers one state a rule.");
  return { day, hour: hour ?? null };
}

function dailyRefusal(day: WindowState, now: Instant, whose: "account" | "address"): Refusal {
  const resetAt = resetInstant(day, now);
  const whom = whose === "account" ? "This account's" : "Without a token, this address's";
  const message = `${whom} ${day.limit} calls a day are used up. Wait until ${toTimestamp(resetAt)}.`;
  return new Refusal("daily_quota_exceeded", message, {}, secondsUntil(resetAt, now));
}

function hourlyRefusal({ hour }: RateWindows, now: Instant): Refusal {
  if (!hour) throw new Error("Only tokens have an hour window.");
  const resetAt = resetInstant(hour, now);
  const message = `This token's ${hour.limit} calls an hour are used up. Wait until ${toTimestamp(resetAt)}.`;
  return new Refusal("rate_limited", message, {}, secondsUntil(resetAt, now));
}
