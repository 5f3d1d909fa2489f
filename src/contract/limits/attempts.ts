import type { Database } from "../../store/engine/database.ts";
import { consumeWindows } from "../../store/access/rate-windows.ts";
import type { WindowRule } from "../../core/access/rate-window.ts";
import { Refusal } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import { secondsUntil } from "./quota.ts";

/** How often one address may try something for which it needs no credential. */
export type AttemptLimit = Omit<WindowRule, "key">;

/** Counts an attempt of an address, whatever comes of it: null, or the seconds it has to wait for the next one. */
export async function countAttempt(
  db: Database,
  limit: AttemptLimit,
  address: string,
  now: Instant,
): Promise<number | null> {
  const { granted, states } = await consumeWindows(db, [{ ...limit, key: address }], now);
  return granted ? null : secondsUntil(states[0]?.resetAt ?? now + limit.lengthMs, now);
}

export const tooManyAttempts = (message: string, retryAfterSeconds: number): Refusal =>
  new Refusal("rate_limited", message, {}, retryAfterSeconds);
