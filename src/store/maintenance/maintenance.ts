import { maintenanceByServer, type ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { all, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { maintenanceTable, recurringMaintenanceTable } from "./tables.ts";

type RecurringRow = RowOf<typeof recurringMaintenanceTable>;

/** One statement for the last window and the planned recurring ones, because every sample reads them. */
const find = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .leftJoin("maintenance as m", "m.server_id", "s.id")
    .leftJoin("recurring_maintenance as r", (join) =>
      join.onRef("r.server_id", "=", "s.id").on("r.next_starts_at", "is not", null),
    )
    .select(["m.server_id", "m.started_at", "m.ends_at", "m.told_until", "m.reason", "m.started_by"])
    .select([
      "r.id",
      "r.title",
      "r.cron",
      "r.time_zone",
      "r.duration_minutes",
      "r.enabled",
      "r.next_starts_at",
      "r.planned_at",
      "r.created_at",
      "r.updated_at",
    ])
    .where("s.id", "=", $.server)
    .orderBy("r.id"),
);

const lastOfServers = query<{ ids: string }>()((db, $, dialect) =>
  db
    .selectFrom("maintenance as m")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "m.server_id")
    .select(maintenanceTable.of("m")),
);

const plannedOfServers = query<{ ids: string }>()((db, $, dialect) =>
  db
    .selectFrom("recurring_maintenance as r")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "r.server_id")
    .select(recurringMaintenanceTable.of("r"))
    .where("r.next_starts_at", "is not", null)
    .orderBy("r.id"),
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

export const removeMaintenance = query<{ server: string }>()((db, $) =>
  db.deleteFrom("maintenance").where("server_id", "=", $.server),
);

/** Stored facts about a server's maintenance; `maintenanceAt` derives its windows. */
export function* maintenanceOf(serverId: string): Work<ServerMaintenance> {
  const rows = yield* all(find, { server: serverId });
  const [first] = rows;
  return {
    // Sound: in a row that was found every column is set.
    last:
      first && first.server_id !== null
        ? maintenanceTable.toRecord(first as RowOf<typeof maintenanceTable>)
        : null,
    recurring: rows.flatMap((row) =>
      row.id === null
        ? []
        : [recurringMaintenanceTable.toRecord({ ...row, server_id: serverId } as RecurringRow)],
    ),
  };
}

/** By server id; servers without maintenance are absent. */
export function* maintenanceOfServers(ids: readonly string[]): Work<Map<string, ServerMaintenance>> {
  const values = { ids: JSON.stringify(ids) };
  return maintenanceByServer(
    (yield* all(lastOfServers, values)).map(maintenanceTable.toRecord),
    (yield* all(plannedOfServers, values)).map(recurringMaintenanceTable.toRecord),
  );
}
