import type { Viewer } from "../../core/viewer.ts";
import type { Instant } from "../../core/time.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { UploadedReport, OwnReport, ReportRecord } from "../../core/report/records.ts";
import { type Work, all, one } from "../engine/database.ts";
import { forUpdate, query, type Builder } from "../engine/query.ts";
import type { OwnRowOf } from "../engine/table.ts";
import { reportTable } from "./report-table.ts";
import { testsOfReport } from "../unit-test/unit-test-rows.ts";

type Row = OwnRowOf<typeof reportTable> & { holder_id: string | null; holder_verified_at: number | null };

export const reportRecordOf = (row: Row): ReportRecord =>
  Object.assign(reportTable.toRecord(row), {
    holderId: row.holder_id,
    holderVerified: row.holder_verified_at !== null,
  });

export const heldReports = (db: Builder) =>
  db
    .selectFrom("report as r")
    .leftJoin("server as s", "s.id", "r.server_id")
    .select(reportTable.of("r"))
    .select(["s.account_id as holder_id", "s.verified_at as holder_verified_at"]);

/** The author, or the holder of the report's verified server. A null viewer owns nothing. */
const ownedBy = (viewer: string | null) =>
  sql<boolean>`(r.author_id = cast(${viewer} as text) or (s.account_id = cast(${viewer} as text) and s.verified_at is not null))`;

export const notExpired = (now: number) => sql<boolean>`(r.expires_at is null or r.expires_at > ${now})`;

const find = query<{ id: string; viewer: string | null; admin: number; now: number }>()((db, $) =>
  heldReports(db)
    .where((eb) => eb.or([eb("r.id", "=", $.id), eb("r.short_id", "=", $.id)]))
    .where(notExpired($.now))
    .where(
      sql<boolean>`(r.visibility <> 'private' or ${ownedBy($.viewer)} or cast(${$.admin} as integer) = 1)`,
    ),
);

const payload = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("payload").where("id", "=", $.id),
);

/** Reports that have expired by the end of the period are left out. */
const scheduled = query<{
  server: string;
  from: number;
  to: number;
  at: number;
  id: string;
  limit: number;
}>()((db, $) =>
  heldReports(db)
    .select("r.payload")
    .where("r.server_id", "=", $.server)
    .where("r.source", "=", "auto_bench")
    .where("r.finished_at", ">=", $.from)
    .where("r.finished_at", "<=", $.to)
    .where(notExpired($.to))
    .where(sql<boolean>`(r.finished_at, r.id) > (${$.at}, ${$.id})`)
    .orderBy("r.finished_at")
    .orderBy("r.id")
    .limit($.limit),
);

export const lockReport = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("report").select(["visibility", "description", "private_notes"]).where("id", "=", $.id),
  ),
);

export const updateReportRow = query<{
  id: string;
  visibility: string;
  description: string | null;
  notes: string | null;
}>()((db, $) =>
  db
    .updateTable("report")
    .set({ visibility: $.visibility, description: $.description, private_notes: $.notes })
    .where("id", "=", $.id),
);

const notes = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("private_notes").where("id", "=", $.id),
);

/** By full or short id; null if the viewer may not see it, or it has expired. */
export function* selectReport(id: string, viewer: Viewer, now: Instant): Work<ReportRecord | null> {
  const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin), now });
  return row && reportRecordOf(row);
}

/** The JSON text of the upload, by full id; null once deleted. Permission: checked by `selectReport`. */
export function* selectReportPayload(id: string): Work<string | null> {
  return (yield* one(payload, { id }))?.payload ?? null;
}

/** Scheduled runs that ended in the period (both ends included), with their uploads; oldest first. */
export function* selectScheduledReports(
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  after: TimePosition | null,
  limit: number,
): Work<UploadedReport[]> {
  const rows = yield* all(scheduled, { server, from, to, ...(after ?? { at: from, id: "" }), limit });
  return rows.map((row) => ({ report: reportRecordOf(row), payload: row.payload }));
}

export function* selectOwnReport(id: string): Work<OwnReport | null> {
  const row = yield* one(notes, { id });
  const tests = yield* all(testsOfReport, { report: id });
  return row && { privateNotes: row.private_notes, singleTests: tests.length };
}
