import type { AlertRecord, ResolutionReason } from "../../core/alert/alert.ts";
import {
  channels,
  planDelivery,
  type Channel,
  type ChannelRecord,
  type ChannelSwitches,
} from "../../core/alert/delivery.ts";
import { openedMessage, resolvedMessage } from "../../core/alert/message.ts";
import type { Message } from "../../core/notice/message.ts";
import { fromAlert, toAlertRecord, type AlertRow } from "./alert-rows.ts";
import { alertTable } from "./tables.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { newId } from "../engine/ids.ts";
import { addToInbox, queueDispatch } from "../notice/outbox.ts";
import { forUpdate, placesOf, query } from "../engine/query.ts";

export const alertColumns = alertTable.columns;

const insert = query<AlertRow>()((db, $) => db.insertInto("alert").values(placesOf(alertColumns, $)));

const save = query<AlertRow>()((db, $) =>
  db.updateTable("alert").set(placesOf(alertColumns, $)).where("id", "=", $.id),
);

const find = query<{ id: string }>()((db, $) =>
  db.selectFrom("alert").select(alertColumns).where("id", "=", $.id),
);

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("alert").select(alertColumns).where("id", "=", $.id)),
);

type Changed = Generator<Step, AlertRecord, Result>;

/** The alert as it stands, for whoever changes nothing; null when there is none. */
export function* alertById(id: string): Generator<Step, AlertRecord | null, Result> {
  const row = yield* one(find, { id });
  return row && toAlertRecord(row);
}

/** The alert as it stands, held until the transaction ends; null when there is none. */
export function* lockAlert(id: string): Generator<Step, AlertRecord | null, Result> {
  const row = yield* one(lock, { id });
  return row && toAlertRecord(row);
}

export function* saveAlert(alert: AlertRecord): Changed {
  yield* run(save, fromAlert(alert));
  return alert;
}

/** Every channel of `alert` for which `next` has another record. */
function* onChannels(
  alert: AlertRecord,
  next: (channel: Channel, record: ChannelRecord) => Generator<Step, ChannelRecord, Result>,
): Changed {
  const delivery = { ...alert.delivery };
  for (const channel of channels) delivery[channel] = yield* next(channel, delivery[channel]);
  return { ...alert, delivery };
}

function* tellInApp(alert: AlertRecord, kind: "alert" | "resolved", message: Message, now: number) {
  yield* addToInbox({
    id: newId(now),
    accountId: alert.accountId,
    kind,
    message,
    serverId: alert.serverId,
    alertId: alert.id,
    createdAt: now,
    readAt: null,
  });
}

/** Sends what is pending on its way: in the browser at once, outside after the commit. */
function* dispatchOpening(alert: AlertRecord, now: number): Changed {
  const message = openedMessage(alert);
  return yield* onChannels(alert, function* (channel, record) {
    if (record.status !== "pending") return record;
    if (channel === "in_app") {
      yield* tellInApp(alert, "alert", message, now);
      return { ...record, status: "sent", at: now, attempts: 1 };
    }
    const { accountId } = alert;
    const queued = yield* queueDispatch({ accountId, channel, purpose: "opened", alert, message, now });
    return queued ? record : { ...record, status: "skipped", reason: "rate_limited" };
  });
}

/** Records a new alert whose `delivery` is planned, and starts to tell it. */
export function* openAlert(planned: AlertRecord, now: number): Changed {
  const alert = yield* dispatchOpening(planned, now);
  yield* run(insert, fromAlert(alert));
  return alert;
}

/** Tells an alert that was kept back: the channels that were quiet get their record anew. */
export function* tellNow(alert: AlertRecord, switches: ChannelSwitches, now: number): Changed {
  const plan = planDelivery(switches, null);
  const planned = yield* onChannels(alert, function* (channel, record) {
    const kept = record.reason === "maintenance" || record.reason === "muted";
    return kept ? plan[channel] : record;
  });
  return yield* saveAlert(yield* dispatchOpening(planned, now));
}

/** Tells on every channel whose opening was sent that it is over. */
export function* dispatchResolution(alert: AlertRecord, now: number): Changed {
  const message = resolvedMessage(alert);
  return yield* onChannels(alert, function* (channel, record) {
    if (record.status !== "sent" || record.resolvedStatus !== null) return record;
    if (channel === "in_app") {
      yield* tellInApp(alert, "resolved", message, now);
      return { ...record, resolvedStatus: "sent" };
    }
    const { accountId } = alert;
    const queued = yield* queueDispatch({ accountId, channel, purpose: "resolved", alert, message, now });
    if (!queued) return { ...record, resolvedStatus: "skipped" };
    return { ...record, resolvedStatus: "pending" };
  });
}

/** Who was told, or is being told, stays untold of the end: it was acknowledged, or maintenance or a mute holds. */
function* skipResolution(alert: AlertRecord): Changed {
  return yield* onChannels(alert, function* (_channel, record) {
    const isOwed = record.status === "sent" || record.status === "pending";
    return isOwed && record.resolvedStatus === null ? { ...record, resolvedStatus: "skipped" } : record;
  });
}

/** Ends an alert in progress; `silent`: nobody is told, because maintenance or a mute holds. */
export function* resolveAlert(
  alert: AlertRecord,
  reason: ResolutionReason,
  silent: boolean,
  now: number,
): Changed {
  const resolved: AlertRecord = {
    ...alert,
    status: "resolved",
    resolvedAt: Math.max(now, alert.openedAt),
    resolutionReason: reason,
  };
  const untold = silent || alert.acknowledgedAt !== null;
  return yield* saveAlert(
    untold ? yield* skipResolution(resolved) : yield* dispatchResolution(resolved, now),
  );
}
