import type { Instant } from "../../core/time.ts";
import type { Trace } from "../../core/event/trace.ts";
import type { Actor, AlertRecord } from "../../core/alert/alert.ts";
import {
  deliverySlots,
  withRecord,
  type ChannelRecord,
  type DeliveryRecord,
} from "../../core/alert/delivery.ts";
import { alertOfAccount, dropDispatches, lockAlert, saveAlert } from "../../store/alert/alerts.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { recordTrace } from "../event/record-trace.ts";
import { lockServer } from "../../store/server/locks.ts";

type Acknowledged = Work<{
  readonly kind: "acknowledged" | "already" | "resolved";
  readonly alert: AlertRecord;
} | null>;

/** Also drops the alert's messages still to be sent. Null if the account has no such alert. */
export function* acknowledgeOpenAlert(
  id: string,
  account: string,
  by: Actor,
  now: Instant,
  traceOf: (alert: AlertRecord) => Trace | null,
): Acknowledged {
  const seen = yield* alertOfAccount(id, account);
  if (!seen) return null;
  yield* lockServer(seen.serverId);
  const alert = yield* lockAlert(id);
  if (!alert) return null;
  if (alert.status !== "open") return { kind: alert.status === "resolved" ? "resolved" : "already", alert };
  yield* run(dropDispatches, { alert: id });
  const acknowledged: AlertRecord = {
    ...alert,
    status: "acknowledged",
    acknowledgedAt: Math.max(now, alert.openedAt),
    acknowledgedBy: by,
    delivery: withoutPending(alert.delivery),
  };
  yield* saveAlert(acknowledged);
  yield* recordTrace(traceOf(alert));
  return { kind: "acknowledged", alert: acknowledged };
}

/** A pending channel with a failed attempt becomes `failed`; one without becomes `skipped` as muted. */
function withoutPending(before: DeliveryRecord): DeliveryRecord {
  let delivery = before;
  for (const slot of deliverySlots) {
    const record = delivery[slot];
    if (record?.status !== "pending") continue;
    const settled: Partial<ChannelRecord> =
      record.reason === null ? { status: "skipped", reason: "muted" } : { status: "failed" };
    delivery = withRecord(delivery, slot, { ...record, ...settled });
  }
  return delivery;
}
