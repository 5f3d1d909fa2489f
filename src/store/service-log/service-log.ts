import type { Instant } from "../../core/time.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Act, By, NamedAccount, NewEntry, ServiceLogEntry } from "../../core/service-log/entry.ts";
import type { SecurityKind } from "../../core/security-log/event.ts";
import { alikeMs, type Repeated } from "../../core/service-log/repeated.ts";
import { type Work, all, one, run, type Result, type Step } from "../engine/database.ts";
import { heldAccount } from "../access/held-account.ts";
import { newId } from "../engine/ids.ts";
import { fromTop, placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { serviceLogTable } from "./service-log-table.ts";
import { saveSecurityRow } from "../security-log/security-log.ts";

type Done = Generator<Step, void, Result>;

const insert = query<RowOf<typeof serviceLogTable>>()((db, $) =>
  db.insertInto("service_log").values(placesOf(serviceLogTable.columns, $)),
);

const lastAlike = query<{ kind: string; words: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("service_log")
    .select(["at", "id"])
    .where("kind", "=", $.kind)
    .where("words", "=", $.words)
    .where("at", ">", $.from)
    .where("at", "<=", $.to)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

const countAgain = query<{ at: number; id: string; last: number; times: number }>()((db, $) =>
  db
    .updateTable("service_log")
    .set((eb) => ({ times: eb("times", "+", $.times), last_at: $.last }))
    .where("at", "=", $.at)
    .where("id", "=", $.id),
);

const list = query<{ at: number; id: string; limit: number }>()((db, $) =>
  db
    .selectFrom("service_log as l")
    .leftJoin("account as d", "d.id", "l.actor_id")
    .leftJoin("account as a", "a.id", "l.account_id")
    .select([...serviceLogTable.of("l"), "l.done_by"])
    .select(["d.id as actor_id", "d.email as actor_email", "a.id as account_id", "a.email as account_email"])
    .where((row) => row(row.refTuple("l.at", "l.id"), "<", row.tuple($.at, $.id)))
    .orderBy("l.at", "desc")
    .orderBy("l.id", "desc")
    .limit($.limit),
);

const named = (id: string | null, email: string | null): NamedAccount | null =>
  id === null || email === null ? null : { id, email };

const toEntry = (row: NonNullable<(typeof list)["types"]>["row"]): ServiceLogEntry =>
  Object.assign(serviceLogTable.toRecord(row), {
    // Written by this file alone.
    by: { who: row.done_by as By["who"], account: named(row.actor_id, row.actor_email) },
    about: named(row.account_id, row.account_email),
  });

/** Acts upon an account that its owner reads of as well. */
const securityKinds: Readonly<Partial<Record<NewEntry["kind"], SecurityKind>>> = {
  plan_changed: "plan_changed",
  role_changed: "role_changed",
  email_verified: "email_verified",
  password_reset: "password_changed",
};

function* noteSecurity({ kind, accountId, words }: NewEntry, now: number): Done {
  const known = securityKinds[kind];
  if (known === undefined) return;
  const about = { kind: known, accountId, address: null, tokenId: null, detail: words };
  yield* saveSecurityRow({ ...about, id: newId(now), at: now, lastAt: now, times: 1 });
}

function* write(by: By, { entry, at, lastAt, times }: Repeated): Done {
  const { kind, words } = entry;
  yield* run(insert, {
    ...serviceLogTable.toRow({ id: newId(at), at, lastAt, times, kind, words }),
    done_by: by.who,
    actor_id: yield* heldAccount(by.who === "admin" ? by.accountId : null),
    account_id: yield* heldAccount(entry.accountId),
  });
}

/** Writes down somebody's act within the unit of work that does it; nothing where nobody acts, or nothing changed. */
export function* note(act: Act | undefined, entry: NewEntry | null): Done {
  if (act === undefined || entry === null) return;
  yield* write(act.by, { entry, at: act.now, lastAt: act.now, times: 1 });
  yield* noteSecurity(entry, act.now);
}

function* count(repeated: Repeated): Done {
  const { entry, at, lastAt, times } = repeated;
  const { kind, words } = entry;
  const known = yield* one(lastAlike, { kind, words, from: at - alikeMs, to: at });
  if (known) yield* run(countAgain, { ...known, last: lastAt, times });
  else yield* write({ who: "service" }, repeated);
}

/** Something the service did of its own accord. */
export function* recordInServiceLog(entry: NewEntry, now: Instant): Work<void> {
  return yield* note({ by: { who: "service" }, now }, entry);
}

/** The same of what repeats itself: alike ones within `alikeMs` of the first are one entry with a number. */
export function* countInServiceLog(repeated: readonly Repeated[]): Work<void> {
  for (const one of repeated) yield* count(one);
}

/** Newest first. */
export function* selectServiceLog(after: TimePosition | null, limit: number): Work<ServiceLogEntry[]> {
  return (yield* all(list, { ...(after ?? fromTop), limit })).map(toEntry);
}
