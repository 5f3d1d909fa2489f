import { Refusal } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Caller } from "../call/caller.ts";
import { tokenBuckets, type TokenBuckets } from "./token-buckets.ts";

/** Requests a second from one server or runner, 60 in a burst. */
export const perSecond = 20;
const burst = 60;

/** A refused body costs 10 requests, and one more for each 16 KiB once decompressed. */
export const refusedBodyCost = 10;
export const refusedBytesPerRequest = 16 * 1024;

/**
 * Charges servers and runners for every request, and any caller with a credential for a refused body
 * afterwards: its next bodies are refused until that is paid off.
 */
export type SenderThrottle = TokenBuckets;

export const senderThrottle = (): SenderThrottle => tokenBuckets(perSecond, burst);

/** The key that a caller's bodies are charged to; null without a credential, which is limited by address. */
export function senderIdOf(caller: Caller): string | null {
  switch (caller.kind) {
    case "server":
      return caller.server.id;
    case "runner":
      return caller.runner.id;
    case "token":
      return caller.token.id;
    case "session":
      return caller.account.id;
    case "anonymous":
      return null;
  }
}

/** Refuses a body before it is read if the sender is still charged for refused ones. */
export function requireNothingOwed(throttle: SenderThrottle, sender: string | null, now: Instant): void {
  const wait = sender === null ? null : throttle.owed(sender, now);
  if (wait === null) return;
  throw new Refusal(
    "rate_limited",
    `A refused body counts as ${refusedBodyCost} requests or more. Wait, then send a body that was corrected.`,
    {},
    Math.max(1, Math.ceil(wait)),
  );
}

const bodyStatuses: ReadonlySet<number> = new Set([400, 413, 415]);

/** Charges for a body that was refused for its content; `bytes` were read of it. */
export function chargeRefused(
  throttle: SenderThrottle,
  sender: string | null,
  { status, bodyBytes }: Pick<Refusal, "status" | "bodyBytes">,
  bytes: number,
  now: Instant,
): void {
  if (sender === null || !bodyStatuses.has(status)) return;
  const read = Math.max(bytes, bodyBytes ?? 0);
  throttle.charge(sender, refusedBodyCost + Math.floor(read / refusedBytesPerRequest), now);
}
