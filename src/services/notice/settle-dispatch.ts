import type { AlertRecord } from "../../core/alert/alert.ts";
import { withRecord, type ChannelRecord } from "../../core/alert/delivery.ts";
import { nextAttemptAt, unansweredAfter } from "../../core/notice/retry.ts";
import type { Dispatch, DispatchResult } from "../../core/notice/records.ts";
import type { Instant } from "../../core/time.ts";
import { handOverAlert, handOverMessage } from "./hand-over.ts";
import { dispatchResolution } from "../alert/resolve-alert.ts";
import { lockAlert, saveAlert } from "../../store/alert/alerts.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import {
  alertPlaceOf,
  lockDispatch,
  noteEventNotified,
  noteThresholdNotified,
  removeDispatch,
  retryDispatch,
} from "../../store/notice/dispatches.ts";
import { lockServer } from "../../store/server/locks.ts";

/** Ends an attempt: the message is done, given up, or due again. Its alert records the result. */
export function* settleDispatch(dispatch: Dispatch, result: DispatchResult, now: number): Work<void> {
  const { id, alertId, attempt } = dispatch;
  const alert = alertId === null ? null : yield* holdAlert(alertId);
  // Another process took the message over, or it was dropped: a failure of this attempt does not count.
  const isOverdue = (yield* one(lockDispatch, { id }))?.attempts !== attempt;
  if (isOverdue && result.status !== "sent") return;
  const due = result.status === "failed" ? nextAttemptAt(dispatch, result, now) : null;
  if (alert) yield* noteOnAlert(alert, dispatch, { result, due }, now);
  else if (isGivenUp({ result, due })) yield* handOverMessage(dispatch, now);
  if (result.status === "failed" && due !== null)
    yield* run(retryDispatch, { id, due, unanswered: unansweredAfter(dispatch, result) });
  else yield* run(removeDispatch, { id });
}

/** `due`: the next attempt; null if there is none. */
interface Ended {
  readonly result: DispatchResult;
  readonly due: Instant | null;
}

/** Locks the alert and its server; null if the alert is deleted. */
function* holdAlert(alertId: string): Work<AlertRecord | null> {
  const place = yield* one(alertPlaceOf, { alert: alertId });
  if (!place) return null;
  yield* lockServer(place.server_id);
  return yield* lockAlert(alertId);
}

function* noteOnAlert(alert: AlertRecord, dispatch: Dispatch, ended: Ended, now: number): Work<void> {
  const { purpose, attempt } = dispatch;
  const slot = dispatch.isSecond ? "second" : dispatch.channel;
  const before = alert.delivery[slot];
  if (before === null) return;
  const isKnown = purpose === "resolved" ? before.resolvedStatus === "sent" : before.status === "sent";
  if (isKnown) return;
  const record =
    purpose === "resolved"
      ? { ...before, resolvedStatus: statusAfter(ended) }
      : openingAfter(before, ended, attempt, now);
  let noted: AlertRecord = { ...alert, delivery: withRecord(alert.delivery, slot, record) };
  if (isGivenUp(ended)) noted = yield* handOverAlert(noted, dispatch, now);
  const isOpeningSent = purpose === "opened" && ended.result.status === "sent";
  // The alert ended before its opening was sent, so its end is sent too.
  const late =
    isOpeningSent && alert.kind === "threshold" && alert.status === "resolved" && !alert.acknowledgedAt;
  yield* saveAlert(late ? yield* dispatchResolution(noted, now) : noted);
  if (isOpeningSent)
    yield* run(alert.kind === "event" ? noteEventNotified : noteThresholdNotified, { id: alert.ruleId, now });
}

const isGivenUp = ({ result, due }: Ended): boolean => result.status === "failed" && due === null;

const statusAfter = ({ result, due }: Ended): ChannelRecord["status"] =>
  due === null ? result.status : "pending";

/** A skipped opening counts no attempt. */
function openingAfter(before: ChannelRecord, ended: Ended, attempts: number, now: number): ChannelRecord {
  const { result } = ended;
  const status = statusAfter(ended);
  // A channel that did not send the opening does not send the end.
  const resolvedStatus = status === "failed" || status === "skipped" ? null : before.resolvedStatus;
  if (result.status === "skipped") return { ...before, status, reason: result.reason, resolvedStatus };
  const reason = result.status === "sent" ? null : result.reason;
  return { status, reason, at: now, attempts, resolvedStatus };
}
