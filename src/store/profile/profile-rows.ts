import { bulk } from "../engine/bulk.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { profileDocumentTable, profileOwnerTable, profileSummaryTable } from "./tables.ts";

/** Server and local id identify a profile; a stored one is not replaced. */
export const insertProfileSummary = query<RowOf<typeof profileSummaryTable>>()((db, $) =>
  db
    .insertInto("profile_summary")
    .values(placesOf(profileSummaryTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

export const insertProfileDocument = query<RowOf<typeof profileDocumentTable>>()((db, $) =>
  db.insertInto("profile_document").values(placesOf(profileDocumentTable.columns, $)),
);

export const insertProfileOwners = bulk<RowOf<typeof profileOwnerTable>>(profileOwnerTable.columns)(
  (db, rows) => db.insertInto("profile_owner").values(rows),
);

export const profileByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("profile_summary as p")
    .leftJoin("profile_document as d", "d.summary_id", "p.id")
    .select(["p.id", "d.id as document_id"])
    .where("p.server_id", "=", $.server)
    .where("p.local_id", "=", $.local),
);
