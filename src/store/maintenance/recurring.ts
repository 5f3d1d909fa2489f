import type { RecurringRecord } from "../../core/maintenance/recurring.ts";
import { clockToleranceMs } from "../../core/metric/clock.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { recurringMaintenanceTable } from "./tables.ts";

type Row = RowOf<typeof recurringMaintenanceTable>;

const list = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("recurring_maintenance")
    .select(recurringMaintenanceTable.columns)
    .where("server_id", "=", $.server)
    .orderBy("created_at")
    .orderBy("id"),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  db
    .selectFrom("recurring_maintenance as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select(recurringMaintenanceTable.of("r"))
    .where("r.id", "=", $.id)
    .where("s.account_id", "=", $.account),
);

const insert = query<Row>()((db, $) =>
  db.insertInto("recurring_maintenance").values(placesOf(recurringMaintenanceTable.columns, $)),
);

const save = query<Row>()((db, $) =>
  db
    .updateTable("recurring_maintenance")
    .set(placesOf(recurringMaintenanceTable.columns, $))
    .where("id", "=", $.id),
);

export const dropRecurring = query<{ id: string }>()((db, $) =>
  db.deleteFrom("recurring_maintenance").where("id", "=", $.id),
);

/** Servers with a window that has begun, or with a plan made by a clock that ran ahead. */
const due = query<{ now: number; ahead: number; after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("recurring_maintenance as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select("r.server_id")
    .distinct()
    .where("s.account_id", "is not", null)
    .where("r.next_starts_at", "is not", null)
    .where((row) => row.or([row("r.next_starts_at", "<=", $.now), row("r.planned_at", ">", $.ahead)]))
    .where("r.server_id", ">", $.after)
    .orderBy("r.server_id")
    .limit($.limit),
);

export function* recurringOf(server: string): Work<RecurringRecord[]> {
  return (yield* all(list, { server })).map(recurringMaintenanceTable.toRecord);
}

export function* recurringOfAccount(id: string, account: string): Work<RecurringRecord | null> {
  const row = yield* one(find, { id, account });
  return row && recurringMaintenanceTable.toRecord(row);
}

export function* insertRecurring(record: RecurringRecord): Work<void> {
  yield* run(insert, recurringMaintenanceTable.toRow(record));
}

export function* saveRecurring(record: RecurringRecord): Work<void> {
  yield* run(save, recurringMaintenanceTable.toRow(record));
}

/** Servers after `after`, by id, for which a window of recurring maintenance must be recorded. */
export function* serversWithDueMaintenance(now: Instant, after: string, limit: number): Work<string[]> {
  const rows = yield* all(due, { now, ahead: now + clockToleranceMs, after, limit });
  return rows.map(({ server_id }) => server_id);
}
