import { Refusal } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Caller } from "../call/caller.ts";
import { tokenBuckets, type TokenBuckets } from "./token-buckets.ts";

/** A linked server or a runner may send 20 requests a second, 60 in a burst. */
export const perSecond = 20;
const burst = 60;

/** A refused body counts as so many requests, and as one more for each so many bytes of it, once decompressed. */
export const refusedBodyCost = 10;
export const refusedBytesPerRequest = 16 * 1024;

/**
 * Limits what one sender costs. Requests of servers and runners are counted as they come; refused bodies of everybody who
 * shows a credential are counted once they are refused, and who owes for them sends no further body.
 */
export type SenderThrottle = TokenBuckets;

export const senderThrottle = (): SenderThrottle => tokenBuckets(perSecond, burst);

/** By what a caller's bodies are counted; null for somebody without a credential, who is counted by address elsewhere. */
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

/** Refuses a body of a sender who still owes for refused ones, before it is read. */
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

/** Counts a body that was refused for what it is; `bytes`: as far as it was read. */
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
