import type { TimePosition } from "../../core/position.ts";
import type { By, NamedAccount, ServiceLogEntry } from "../../core/service-log/entry.ts";
import { type Work, all } from "../engine/database.ts";
import { fromTop, placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { serviceLogTable } from "./service-log-table.ts";

export type Done = Work<void>;

export const insertLogEntry = query<RowOf<typeof serviceLogTable>>()((db, $) =>
  db.insertInto("service_log").values(placesOf(serviceLogTable.columns, $)),
);

export const lastEntryAlike = query<{ kind: string; words: string; from: number; to: number }>()((db, $) =>
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

export const countEntryAgain = query<{ at: number; id: string; last: number; times: number }>()((db, $) =>
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
    // Sound: only entries of this service have this column.
    by: { who: row.done_by as By["who"], account: named(row.actor_id, row.actor_email) },
    about: named(row.account_id, row.account_email),
  });

export function* selectServiceLog(after: TimePosition | null, limit: number): Work<ServiceLogEntry[]> {
  return (yield* all(list, { ...(after ?? fromTop), limit })).map(toEntry);
}
