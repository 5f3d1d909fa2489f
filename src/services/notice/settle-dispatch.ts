import type { AlertRecord } from "../../core/alert/alert.ts";
import type { ChannelRecord } from "../../core/alert/delivery.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import { isInMaintenance } from "../../core/maintenance/maintenance.ts";
import type { Message } from "../../core/notice/message.ts";
import { mostUnanswered, nextAttemptAt, retryForMs, unansweredAfter } from "../../core/notice/retry.ts";
import type { Dispatch, DispatchPurpose, DispatchResult } from "../../core/notice/store.ts";
import { ownClockToleranceMs, type Instant } from "../../core/time.ts";
import { dispatchResolution } from "../alert/resolve-alert.ts";
import { lockAlert, saveAlert } from "../../store/alert/alerts.ts";
import { one, run, type Database, type Result, type Step } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { forUpdate, query, type Builder } from "../../store/engine/query.ts";
import type { Tables } from "../../store/schema/tables.ts";

/** Longer than any attempt takes: who has not answered by then is taken for dead, ms. */
const leaseMs = 60_000;

/**
 * Instants further ahead of `now` were written by a clock that was wrong: no lease and no first attempt is later than
 * `lease` and `first`, and no other attempt later than `retry`.
 */
type Due = { after: number; until: number; now: number; lease: number; first: number; retry: number };

/** What is due at `now`: what was due before it, and what a wrong clock put so far ahead. */
function dueAt(now: number): Due[] {
  const first = now + ownClockToleranceMs;
  const wrong = { now, first, lease: first + leaseMs, retry: first + retryForMs };
  return [
    { ...wrong, after: Number.MIN_SAFE_INTEGER, until: now },
    { ...wrong, after: first, until: Number.MAX_SAFE_INTEGER },
  ];
}

/**
 * The message that has been due for longest and that nobody is sending, of an account of which nobody is sending
 * another on that channel: one account's slow webhook holds up no one else.
 */
const firstDue = (db: Builder, $: Due) =>
  db
    .selectFrom("dispatch as d")
    .selectAll("d")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("dispatch as o")
            .select("o.id")
            .whereRef("o.account_id", "=", "d.account_id")
            .whereRef("o.channel", "=", "d.channel")
            .where("o.leased_until", ">", $.now)
            .where("o.leased_until", "<=", $.lease),
        ),
      ),
    )
    .where("due_at", ">", $.after)
    .where("due_at", "<=", $.until)
    .where((eb) => eb.or([eb("due_at", "<=", $.now), eb("attempts", "=", 0), eb("due_at", ">", $.retry)]))
    .where((eb) =>
      eb.or([
        eb("leased_until", "is", null),
        eb("leased_until", "<=", $.now),
        eb("leased_until", ">", $.lease),
      ]),
    )
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);

const peek = query<Due>()((db, $) => firstDue(db, $));

const take = query<Due>()((db, $, dialect) =>
  dialect === "postgres" ? firstDue(db, $).forUpdate().skipLocked() : firstDue(db, $),
);

const lease = query<{ id: string; until: number; attempts: number; unanswered: number }>()((db, $) =>
  db
    .updateTable("dispatch")
    .set({ leased_until: $.until, attempts: $.attempts, unanswered: $.unanswered })
    .where("id", "=", $.id),
);

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("dispatch").select("attempts").where("id", "=", $.id)),
);

const again = query<{ id: string; due: number; unanswered: number }>()((db, $) =>
  db
    .updateTable("dispatch")
    .set({ due_at: $.due, leased_until: null, unanswered: $.unanswered })
    .where("id", "=", $.id),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("dispatch").where("id", "=", $.id));

/** Whose alert it is; a rule of either kind, or none when it is gone. */
const placeOf = query<{ alert: string }>()((db, $) =>
  db
    .selectFrom("alert as a")
    .leftJoin("alert_rule as r", "r.id", "a.rule_id")
    .leftJoin("event_rule as e", "e.id", "a.rule_id")
    .select((eb) => ["a.server_id", eb.fn.coalesce("r.muted_until", "e.muted_until").as("muted_until")])
    .where("a.id", "=", $.alert),
);

const noteThreshold = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("alert_rule").set({ last_notified_at: $.now }).where("id", "=", $.id),
);

const noteEvent = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("event_rule").set({ last_notified_at: $.now }).where("id", "=", $.id),
);

/** Why an alert is told to nobody at this moment, though it was to be told when its message was queued. */
function* quietNow(alert: string | null, now: number): Generator<Step, Dispatch["quiet"], Result> {
  const place = alert === null ? null : yield* one(placeOf, { alert });
  if (!place) return null;
  if (isInMaintenance(yield* maintenanceOf(place.server_id), now)) return "maintenance";
  return isMuted({ mutedUntil: place.muted_until }, now) ? "muted" : null;
}

function* claim(due: Due): Generator<Step, Dispatch | null, Result> {
  const row: Tables["dispatch"] | null = yield* one(take, due);
  if (!row) return null;
  const { now } = due;
  // Whoever held it before died in its attempt, or lost the database: nobody knows whether it went out.
  const unanswered = row.unanswered + (row.leased_until === null ? 0 : 1);
  // One that is only to be given up is no further attempt.
  const attempt = unanswered >= mostUnanswered ? row.attempts : row.attempts + 1;
  yield* run(lease, { id: row.id, until: now + leaseMs, attempts: attempt, unanswered });
  const recipient = yield* recipientOf(row.account_id);
  if (!recipient) throw new Error("A message belongs to an account that is gone.");
  return {
    id: row.id,
    channel: row.channel === "email" ? "email" : "chat",
    // What was written as a purpose and a message is read as one.
    purpose: row.purpose as DispatchPurpose,
    message: JSON.parse(row.message) as Message,
    alertId: row.alert_id,
    queuedAt: row.created_at,
    attempt,
    unanswered,
    quiet: yield* quietNow(row.alert_id, now),
    recipient,
  };
}

/** Asking costs no transaction while nothing is due, which is nearly always. */
export async function claimDispatch(db: Database, now: number): Promise<Dispatch | null> {
  for (const due of dueAt(now)) {
    if (await db.read(() => one(peek, due))) return db.write("saved", () => claim(due));
  }
  return null;
}

/** Ends an attempt: the message is done, given up, or due again; its alert remembers what became of it. */
export function* settleDispatch(
  dispatch: Dispatch,
  result: DispatchResult,
  now: number,
): Generator<Step, void, Result> {
  const { id, alertId, attempt } = dispatch;
  const alert = alertId === null ? null : yield* holdAlert(alertId);
  // Somebody who took this process for dead is at the message, or it was called back: what failed is news no more.
  const isOverdue = (yield* one(lock, { id }))?.attempts !== attempt;
  if (isOverdue && result.status !== "sent") return;
  const due = result.status === "failed" ? nextAttemptAt(dispatch, result, now) : null;
  if (alert) yield* noteOnAlert(alert, dispatch, { result, due }, now);
  if (result.status === "failed" && due !== null)
    yield* run(again, { id, due, unanswered: unansweredAfter(dispatch, result) });
  else yield* run(remove, { id });
}

/** What became of an attempt, and when the next one is due; null when there is none. */
interface Ended {
  readonly result: DispatchResult;
  readonly due: Instant | null;
}

/** The alert of a message, with everything that may change it waiting; null when it is gone. */
function* holdAlert(alertId: string): Generator<Step, AlertRecord | null, Result> {
  const place = yield* one(placeOf, { alert: alertId });
  if (!place) return null;
  yield* lockServer(place.server_id);
  return yield* lockAlert(alertId);
}

function* noteOnAlert(
  alert: AlertRecord,
  { channel, purpose, attempt }: Dispatch,
  ended: Ended,
  now: number,
): Generator<Step, void, Result> {
  const before = alert.delivery[channel];
  const isKnown = purpose === "resolved" ? before.resolvedStatus === "sent" : before.status === "sent";
  if (isKnown) return;
  const record =
    purpose === "resolved"
      ? { ...before, resolvedStatus: statusAfter(ended) }
      : openingAfter(before, ended, attempt, now);
  const noted = { ...alert, delivery: { ...alert.delivery, [channel]: record } };
  const told = purpose === "opened" && ended.result.status === "sent";
  // It was over before anybody heard of it: whoever heard just now hears that too.
  const late = told && alert.kind === "threshold" && alert.status === "resolved" && !alert.acknowledgedAt;
  yield* saveAlert(late ? yield* dispatchResolution(noted, now) : noted);
  if (told) yield* run(alert.kind === "event" ? noteEvent : noteThreshold, { id: alert.ruleId, now });
}

const statusAfter = ({ result, due }: Ended): ChannelRecord["status"] =>
  due === null ? result.status : "pending";

/** The record of an opening; what was skipped was not attempted. */
function openingAfter(before: ChannelRecord, ended: Ended, attempts: number, now: number): ChannelRecord {
  const { result } = ended;
  const status = statusAfter(ended);
  // Nobody who did not hear of the alert is owed its end.
  const resolvedStatus = status === "failed" || status === "skipped" ? null : before.resolvedStatus;
  if (result.status === "skipped") return { ...before, status, reason: result.reason, resolvedStatus };
  const reason = result.status === "sent" ? null : result.reason;
  return { status, reason, at: now, attempts, resolvedStatus };
}
