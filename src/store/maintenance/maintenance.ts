import { type MaintenanceRecord } from "../../core/maintenance/maintenance.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { maintenanceTable } from "./maintenance-table.ts";

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("maintenance").selectAll().where("server_id", "=", $.server),
);

export const upsertMaintenance = query<RowOf<typeof maintenanceTable>>()((db, $) =>
  db
    .insertInto("maintenance")
    .values(placesOf(maintenanceTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet({
        started_at: (eb) => eb.ref("excluded.started_at"),
        ends_at: (eb) => eb.ref("excluded.ends_at"),
        told_until: (eb) => eb.ref("excluded.told_until"),
        reason: (eb) => eb.ref("excluded.reason"),
        started_by: (eb) => eb.ref("excluded.started_by"),
      }),
    ),
);

const remove = query<{ server: string }>()((db, $) =>
  db.deleteFrom("maintenance").where("server_id", "=", $.server),
);

/** The last window written for a server, over or not. */
export function* maintenanceOf(serverId: string): Generator<Step, MaintenanceRecord | null, Result> {
  const row = yield* one(find, { server: serverId });
  return row && maintenanceTable.toRecord(row);
}

/** Ends whatever window there is. */
export function* removeMaintenance(serverId: string): Generator<Step, void, Result> {
  yield* run(remove, { server: serverId });
}
