import type { AlertRecord } from "../../core/alert/alert.ts";
import { postedAlert } from "../../core/alert/posted-alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { DispatchPurpose } from "../../core/notice/sending.ts";
import { dispatchTable } from "../../store/notice/tables.ts";
import { countWaiting, insertDispatch } from "../../store/notice/outbox.ts";
import { newId } from "../../store/engine/ids.ts";
import { type Work, one, run } from "../../store/engine/database.ts";

interface Outgoing {
  readonly accountId: string;
  readonly channel: OutsideChannel;
  /** True if another channel could not deliver the message. */
  readonly isSecond?: boolean;
  readonly purpose: DispatchPurpose;
  /** Null for notices. */
  readonly alert: AlertRecord | null;
  readonly message: Message;
  readonly now: number;
}

/**
 * Most messages of an account that may wait for one channel; further ones are only recorded. Nobody reads
 * more than fifty mails, and other accounts' messages would wait behind them.
 */
const mostWaiting = 50;

/** Queues a message, which is sent after the commit. False if too many wait for that channel already. */
export function* queueDispatch(outgoing: Outgoing): Work<boolean> {
  const { accountId, channel, isSecond = false, purpose, alert, message, now } = outgoing;
  const counted = yield* one(countWaiting, { account: accountId, channel });
  if ((counted?.count ?? 0) >= mostWaiting) return false;
  const id = newId(now);
  yield* run(insertDispatch, {
    ...dispatchTable.toRow({
      id,
      channel,
      purpose,
      alertId: alert?.id ?? null,
      postedAlert: alert && channel === "webhook" ? postedAlert(alert) : null,
      message,
      queuedAt: now,
      isSecond,
    }),
    account_id: accountId,
    rule_id: alert?.ruleId ?? null,
    attempts: 0,
    due_at: now,
    leased_until: null,
    unanswered: 0,
  });
  return true;
}
