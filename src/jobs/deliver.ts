import type { Database } from "../store/engine/database.ts";
import { claimDispatch } from "../services/notice/claim-dispatch.ts";
import { settleDispatch } from "../services/notice/settle-dispatch.ts";
import type { MessageSender } from "../app/access/message-sender.ts";
import type { SendFailed } from "../core/notice/notifier.ts";
import { mostUnanswered } from "../core/notice/retry.ts";
import type { Dispatch, DispatchResult } from "../core/notice/records.ts";
import type { Meter } from "../contract/call/meter.ts";
import { planIncludes, type Plans } from "../core/access/plan.ts";
import type { Instant } from "../core/time.ts";

export interface Delivering {
  readonly db: Database;
  readonly plans: Plans;
  readonly sendMessage: MessageSender;
  readonly clock: () => Instant;
  readonly meter: Pick<Meter, "delivered">;
  /** Aborted when the process is to end; then no further message is claimed. */
  readonly signal: AbortSignal;
  /** Called for a message that was not sent; it gets neither the address nor the text. */
  readonly warn: (dispatch: { readonly id: string; readonly channel: string }, why: string) => void;
}

/** Messages sent at once by one process. */
const atOnce = 4;

/** Sends all due messages, each from one process only. Resolves when no message is due any more. */
export async function deliverDue(delivering: Delivering): Promise<void> {
  const first = await claim(delivering);
  if (first === null) return;
  const others = Array.from({ length: atOnce - 1 }, () => deliverFrom(delivering, null));
  const ended = await Promise.allSettled([deliverFrom(delivering, first), ...others]);
  const failed = ended.find((line) => line.status === "rejected");
  if (failed) throw failed.reason;
}

const claim = async ({ db, clock, signal }: Delivering): Promise<Dispatch | null> =>
  signal.aborted ? null : claimDispatch(db, clock());

async function deliverFrom(delivering: Delivering, first: Dispatch | null): Promise<void> {
  const { db, clock } = delivering;
  let dispatch = first ?? (await claim(delivering));
  while (dispatch !== null) {
    await db.write(settleDispatch, dispatch, await attempt(delivering, dispatch), clock());
    dispatch = await claim(delivering);
  }
}

async function attempt(delivering: Delivering, dispatch: Dispatch): Promise<DispatchResult> {
  const result = await outcomeOf(delivering, dispatch);
  delivering.meter.delivered(dispatch.channel, result.status);
  if (result.status === "failed") delivering.warn(dispatch, `${result.reason}: ${result.detail}`);
  return result;
}

/** Every process that tried to send it died meanwhile. It may have gone out, so it is not tried again. */
const unanswered: SendFailed = {
  status: "failed",
  reason: "timeout",
  detail: "nobody answered for it",
  again: "never",
  retryAfterMs: null,
};

async function outcomeOf(delivering: Delivering, dispatch: Dispatch): Promise<DispatchResult> {
  const { sendMessage, plans, clock } = delivering;
  const { recipient, channel } = dispatch;
  if (dispatch.unanswered >= mostUnanswered) return unanswered;
  if (dispatch.quiet !== null) return { status: "skipped", reason: dispatch.quiet };
  // Alerts and digests are part of monitoring; a notice is for everybody.
  if (dispatch.purpose !== "notice" && !planIncludes(plans[recipient.plan], "monitoring"))
    return { status: "skipped", reason: "plan_required" };
  return sendMessage(recipient, channel, { ...dispatch, now: clock() });
}
