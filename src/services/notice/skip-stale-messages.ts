import { heldForMs } from "../../core/notice/records.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, all } from "../../store/engine/database.ts";
import { dispatchesQueuedBefore } from "../../store/notice/dispatches.ts";
import { claimedDispatch } from "./claim-dispatch.ts";
import { settleDispatch } from "./settle-dispatch.ts";

/** Drops messages held for too long while their account was suspended; their alerts record why. */
export function* skipStaleMessages(account: string, now: Instant): Work<void> {
  for (const row of yield* all(dispatchesQueuedBefore, { account, before: now - heldForMs })) {
    const dispatch = yield* claimedDispatch(row, row.attempts, row.unanswered, null);
    yield* settleDispatch(dispatch, { status: "skipped", reason: "account_disabled" }, now);
  }
}
