import { one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RecordOf, RowOf } from "../engine/table.ts";
import { serverSoftwareTable } from "./server-software-table.ts";

export type StoredSoftware = RecordOf<typeof serverSoftwareTable>;

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_software").selectAll().where("server_id", "=", $.server),
);

const upsert = query<RowOf<typeof serverSoftwareTable>>()((db, $) =>
  db
    .insertInto("server_software")
    .values(placesOf(serverSoftwareTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet({
        inventory: (eb) => eb.ref("excluded.inventory"),
        received_at: (eb) => eb.ref("excluded.received_at"),
        changed_at: (eb) => eb.ref("excluded.changed_at"),
        changes: (eb) => eb.ref("excluded.changes"),
      }),
    ),
);

export function* softwareOf(serverId: string): Work<StoredSoftware | null> {
  const row = yield* one(find, { server: serverId });
  return row && serverSoftwareTable.toRecord(row);
}

export function* saveSoftware(software: StoredSoftware): Work<void> {
  yield* run(upsert, serverSoftwareTable.toRow(software));
}
