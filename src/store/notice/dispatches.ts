import { retryForMs } from "../../core/notice/retry.ts";
import { ownClockToleranceMs } from "../../core/time.ts";
import { ofServedAccount } from "../access/served-accounts.ts";
import { forUpdate, query, type Builder } from "../engine/query.ts";
import { dispatchTable } from "./tables.ts";

/** Longer than any attempt: a sender without an answer by then counts as dead, ms. */
export const dispatchLeaseMs = 60_000;

/**
 * Limits for instants in the future: a later one was written by a wrong clock. `lease` is for leases, `first`
 * for first attempts, `retry` for other attempts.
 */
export type DueRange = {
  after: number;
  until: number;
  now: number;
  lease: number;
  first: number;
  retry: number;
};

/** Ranges of `due_at` that are due: up to `now`, and so far ahead that a wrong clock may have written it. */
export function dueRanges(now: number): DueRange[] {
  const first = now + ownClockToleranceMs;
  const wrong = { now, first, lease: first + dispatchLeaseMs, retry: first + retryForMs };
  return [
    { ...wrong, after: Number.MIN_SAFE_INTEGER, until: now },
    { ...wrong, after: first, until: Number.MAX_SAFE_INTEGER },
  ];
}

/**
 * The longest due message that nobody is sending, of an account with no other message being sent on that
 * channel: a slow webhook delays only its own account. Messages of suspended accounts are held.
 */
const firstDue = (db: Builder, $: DueRange) =>
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
    .where(ofServedAccount("d"))
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

export const peekDispatch = query<DueRange>()((db, $) => firstDue(db, $));

export const lockDueDispatch = query<DueRange>()((db, $, dialect) =>
  dialect === "postgres" ? firstDue(db, $).forUpdate().skipLocked() : firstDue(db, $),
);

export const dispatchesQueuedBefore = query<{ account: string; before: number }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select(dispatchTable.columns)
    .where("account_id", "=", $.account)
    .where("created_at", "<", $.before)
    .orderBy("created_at")
    .orderBy("id"),
);

export const leaseDispatch = query<{ id: string; until: number; attempts: number; unanswered: number }>()(
  (db, $) =>
    db
      .updateTable("dispatch")
      .set({ leased_until: $.until, attempts: $.attempts, unanswered: $.unanswered })
      .where("id", "=", $.id),
);

export const lockDispatch = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("dispatch").select("attempts").where("id", "=", $.id)),
);

export const retryDispatch = query<{ id: string; due: number; unanswered: number }>()((db, $) =>
  db
    .updateTable("dispatch")
    .set({ due_at: $.due, leased_until: null, unanswered: $.unanswered })
    .where("id", "=", $.id),
);

export const removeDispatch = query<{ id: string }>()((db, $) =>
  db.deleteFrom("dispatch").where("id", "=", $.id),
);

/** The alert's server, and the mute of its rule, which may be of either kind, or deleted. */
export const alertPlaceOf = query<{ alert: string }>()((db, $) =>
  db
    .selectFrom("alert as a")
    .leftJoin("alert_rule as r", "r.id", "a.rule_id")
    .leftJoin("event_rule as e", "e.id", "a.rule_id")
    .select((eb) => ["a.server_id", eb.fn.coalesce("r.muted_until", "e.muted_until").as("muted_until")])
    .where("a.id", "=", $.alert),
);

export const noteThresholdNotified = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("alert_rule").set({ last_notified_at: $.now }).where("id", "=", $.id),
);

export const noteEventNotified = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("event_rule").set({ last_notified_at: $.now }).where("id", "=", $.id),
);
