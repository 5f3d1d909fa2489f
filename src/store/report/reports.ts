import type { Viewer } from "../../core/viewer.ts";
import type { Instant } from "../../core/time.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { UploadedReport, ReportFilter, OwnReport, ReportRecord } from "../../core/report/records.ts";
import { type Work, all, one } from "../engine/database.ts";
import { forUpdate, fromTop, query, type Builder } from "../engine/query.ts";
import type { OwnRowOf } from "../engine/table.ts";
import { reportTable } from "./report-table.ts";
import { testsOfReport } from "../unit-test/unit-test-rows.ts";

type Row = OwnRowOf<typeof reportTable> & { holder_id: string | null; holder_verified_at: number | null };

const toReport = (row: Row): ReportRecord =>
  Object.assign(reportTable.toRecord(row), {
    holderId: row.holder_id,
    holderVerified: row.holder_verified_at !== null,
  });

const reports = (db: Builder) =>
  db
    .selectFrom("report as r")
    .leftJoin("server as s", "s.id", "r.server_id")
    .select(reportTable.of("r"))
    .select(["s.account_id as holder_id", "s.verified_at as holder_verified_at"]);

/** The author, and who holds the report's verified server now; nobody for a viewer without an account. */
const ownedBy = (viewer: string | null) =>
  sql<boolean>`(r.author_id = cast(${viewer} as text) or (s.account_id = cast(${viewer} as text) and s.verified_at is not null))`;

const notExpired = (now: number) => sql<boolean>`(r.expires_at is null or r.expires_at > ${now})`;

const find = query<{ id: string; viewer: string | null; admin: number; now: number }>()((db, $) =>
  reports(db)
    .where((eb) => eb.or([eb("r.id", "=", $.id), eb("r.short_id", "=", $.id)]))
    .where(notExpired($.now))
    .where(
      sql<boolean>`(r.visibility <> 'private' or ${ownedBy($.viewer)} or cast(${$.admin} as integer) = 1)`,
    ),
);

const payload = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("payload").where("id", "=", $.id),
);

/** Reports that have expired by the end of the period are nobody's any more. */
const scheduled = query<{
  server: string;
  from: number;
  to: number;
  at: number;
  id: string;
  limit: number;
}>()((db, $) =>
  reports(db)
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

type ListValues = {
  viewer: string | null;
  visibility: string | null;
  type: string | null;
  mode: string | null;
  server: string | null;
  now: number;
  at: number;
  id: string;
  limit: number;
};

/** Newest first; filters that are null are switched off. */
const newestFirst = (db: Builder, $: ListValues) =>
  reports(db)
    .where(notExpired($.now))
    .where(
      sql<boolean>`(r.visibility = 'public' or (r.certificate_expires_at > ${$.now} and r.visibility <> 'private') or ${ownedBy($.viewer)})`,
    )
    .where(sql<boolean>`(cast(${$.visibility} as text) is null or r.visibility = ${$.visibility})`)
    .where(sql<boolean>`(cast(${$.type} as text) is null or r.server_type = ${$.type})`)
    .where(sql<boolean>`(cast(${$.mode} as text) is null or r.benchmark_mode = ${$.mode})`)
    .where(sql<boolean>`(r.created_at, r.id) < (${$.at}, ${$.id})`)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit($.limit);

type List = ReturnType<typeof newestFirst>;
const ofAuthor = (select: List, $: ListValues) => select.where("r.author_id", "=", $.viewer);
const ofServer = (select: List, $: ListValues) =>
  select.where("r.server_id", "=", $.server).where("s.account_id", "=", $.viewer);

/** Filters that leave few rows have queries of their own, so that they are found by an index. */
const list = query<ListValues>()((db, $) => newestFirst(db, $));
const listOfAuthor = query<ListValues>()((db, $) => ofAuthor(newestFirst(db, $), $));
const listOfServer = query<ListValues>()((db, $) => ofServer(newestFirst(db, $), $));
const listOfBoth = query<ListValues>()((db, $) => ofServer(ofAuthor(newestFirst(db, $), $), $));

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

/** By full or short id; null when the viewer may not see it, or it has expired. */
export function* selectReport(id: string, viewer: Viewer, now: Instant): Work<ReportRecord | null> {
  const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin), now });
  return row && toReport(row);
}

/** The JSON text of a report's upload, by full id, whoever asks: `find` says who may. Null when it is gone. */
export function* selectReportPayload(id: string): Work<string | null> {
  return (yield* one(payload, { id }))?.payload ?? null;
}

/** Scheduled runs of a server that ended in the period, both ends included, with their uploads; oldest first. */
export function* selectScheduledReports(
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  after: TimePosition | null,
  limit: number,
): Work<UploadedReport[]> {
  const rows = yield* all(scheduled, { server, from, to, ...(after ?? { at: from, id: "" }), limit });
  return rows.map((row) => ({ report: toReport(row), payload: row.payload }));
}

/** What the viewer's list shows, newest first. */
export function* selectReports(
  viewer: Viewer,
  filter: ReportFilter,
  after: TimePosition | null,
  limit: number,
  now: Instant,
): Work<ReportRecord[]> {
  const [whole, ofServer] = filter.mine ? [listOfAuthor, listOfBoth] : [list, listOfServer];
  const rows = yield* all(filter.serverId === null ? whole : ofServer, {
    viewer: viewer.accountId,
    visibility: filter.visibility,
    type: filter.serverType,
    mode: filter.benchmarkMode,
    server: filter.serverId,
    now,
    ...(after ?? fromTop),
    limit,
  });
  return rows.map(toReport);
}

/** By full id, whoever asks; null when it is gone. */
export function* selectOwnReport(id: string): Work<OwnReport | null> {
  const row = yield* one(notes, { id });
  const tests = yield* all(testsOfReport, { report: id });
  return row && { privateNotes: row.private_notes, singleTests: tests.length };
}
