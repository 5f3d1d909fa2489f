import type { TimePosition } from "../../core/position.ts";
import type { MemoryDiagnosis } from "../../core/memory-report/memory-diagnosis.ts";
import { sql } from "kysely";
import type {
  MemoryReportFilter,
  MemoryReportRecord,
  NewMemoryReport,
} from "../../core/memory-report/records.ts";
import { type Work, all, one, type Database } from "../engine/database.ts";
import {
  newestIds,
  ofBoth,
  stretch,
  whoseOf,
  type NewestValues,
  type ListedServers,
} from "../metric/newest-of-servers.ts";
import { unpackedFrom } from "../engine/packed.ts";
import { placesOf, query, type Builder } from "../engine/query.ts";
import { memoryReading } from "../profile/readings.ts";
import type { OwnRowOf, RowOf } from "../engine/table.ts";
import { memoryDocumentTable, memoryReportTable } from "./tables.ts";

export const memoryReportRow = (report: NewMemoryReport): RowOf<typeof memoryReportTable> =>
  Object.assign(memoryReportTable.toRow(report), {
    timeline_at: report.head.createdAt ?? report.uploadedAt,
  });

type ReadRow = OwnRowOf<typeof memoryReportTable> & { server_name: string | null };

const toReport = (row: ReadRow): MemoryReportRecord =>
  Object.assign(memoryReportTable.toRecord(row), { serverName: row.server_name });

/** Server and local id identify a report; a stored one is not replaced. */
export const insertMemoryReport = query<RowOf<typeof memoryReportTable>>()((db, $) =>
  db
    .insertInto("memory_report")
    .values(placesOf(memoryReportTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

export const insertMemoryDocument = query<RowOf<typeof memoryDocumentTable>>()((db, $) =>
  db.insertInto("memory_document").values(placesOf(memoryDocumentTable.columns, $)),
);

export const memoryReportByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("memory_report")
    .select("id")
    .where("server_id", "=", $.server)
    .where("local_id", "=", $.local),
);

const reports = (db: Builder) =>
  db
    .selectFrom("memory_report as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select([...memoryReportTable.of("r"), "s.name as server_name"]);

type ListValues = NewestValues & { kind: string | null; mode: string | null };

const reportsOfServer = (db: Builder, $: ListValues, limit: number) =>
  db
    .selectFrom("memory_report as q")
    .select("q.id")
    .where(sql<boolean>`q.server_id = s.id`)
    .where(sql<boolean>`(cast(${$.kind} as text) is null or q.kind = ${$.kind})`)
    .where(sql<boolean>`(cast(${$.mode} as text) is null or q.mode = ${$.mode})`)
    .where("q.timeline_at", ">=", $.from)
    .where(sql<boolean>`(q.timeline_at, q.id) < (${$.at}, ${$.id})`)
    .orderBy("q.timeline_at", "desc")
    .orderBy("q.id", "desc")
    .limit(limit);

const listed = (whose: ListedServers) =>
  query<ListValues>()((db, $, dialect) =>
    reports(db)
      .where(
        "r.id",
        "in",
        newestIds("memory_report", (limit) => reportsOfServer(db, $, limit), $, dialect, whose),
      )
      .orderBy("r.timeline_at", "desc")
      .orderBy("r.id", "desc"),
  );
const list = ofBoth(listed);

const find = query<{ server: string; id: string }>()((db, $) =>
  reports(db).where("r.id", "=", $.id).where("r.server_id", "=", $.server),
);

const document = query<{ id: string }>()((db, $) =>
  db.selectFrom("memory_document").select("document").where("report_id", "=", $.id),
);

export type Stored = { id: string; created: boolean };

/** Newest first by creation, or by upload if that is unknown. */
export function* selectMemoryReports(
  account: string,
  { serverId: server, kind, mode, from, to }: MemoryReportFilter,
  after: TimePosition | null,
  limit: number,
): Work<MemoryReportRecord[]> {
  const values = { account, server, kind, mode, ...stretch({ from, to }, after), limit };
  return (yield* all(list[whoseOf(server)], values)).map(toReport);
}

export function* selectMemoryReport(server: string, id: string): Work<MemoryReportRecord | null> {
  const row = yield* one(find, { server, id });
  return row && toReport(row);
}

/** The uploaded document as packed JSON; null once it is deleted. */
export function* selectMemoryDocument(id: string): Work<Uint8Array | null> {
  return (yield* one(document, { id }))?.document ?? null;
}

/** Null if no diagnosis of this version is stored, or its bytes are damaged. */
export async function readMemoryDiagnosis(db: Database, id: string): Promise<MemoryDiagnosis | null> {
  return unpackedFrom(await db.read(memoryReading, id));
}
