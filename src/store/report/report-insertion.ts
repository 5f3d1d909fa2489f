import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { reportTable } from "./report-table.ts";

export const insertReportRow = query<RowOf<typeof reportTable>>()((db, $) =>
  db
    .insertInto("report")
    .values(placesOf(reportTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

export const reportIdsByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("report")
    .select(["id", "short_id"])
    .where("server_id", "=", $.server)
    .where("local_id", "=", $.local),
);
