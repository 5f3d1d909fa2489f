import type { UnitTestContent } from "../../core/unit-test/content.ts";
import { bulk } from "../engine/bulk.ts";
import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { unitTestTable } from "./unit-test-table.ts";

/** The JSON of the content column. The provider is stored too, because it may change later. */
export type StoredContent = UnitTestContent & { readonly provider: string | null };

/** Server and local id identify a test; a stored one is not replaced. */
export const insertUnitTests = bulk<RowOf<typeof unitTestTable>>(unitTestTable.columns)((db, rows) =>
  db
    .insertInto("unit_test")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing())
    .returning(["id", "local_id"]),
);

export const unitTestByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db.selectFrom("unit_test").select("id").where("server_id", "=", $.server).where("local_id", "=", $.local),
);

export const reportByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db.selectFrom("report").select("id").where("server_id", "=", $.server).where("local_id", "=", $.local),
);

export const providerOf = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("offer as o", "o.id", "s.offer_id")
    .innerJoin("provider as p", "p.id", "o.provider_id")
    .select("p.name")
    .where("s.id", "=", $.server),
);

/** The report's tests by the same author, which follow the report's changes. */
export const testsOfReport = query<{ report: string }>()((db, $) =>
  db
    .selectFrom("unit_test as t")
    .innerJoin("report as r", "r.id", "t.parent_report_id")
    .select(["t.id", "t.content"])
    .where("t.parent_report_id", "=", $.report)
    .whereRef("t.author_id", "=", "r.author_id"),
);

export const setVisibilityOfTest = query<{ id: string; visibility: string }>()((db, $) =>
  db.updateTable("unit_test").set({ visibility: $.visibility }).where("id", "=", $.id),
);
