import { sql } from "kysely";
import { Visibility } from "../../core/report/report.ts";
import type { ReportRecord, ReportStore } from "../../core/report/store.ts";
import { all, one, run, type Database } from "../engine/database.ts";
import { forUpdate, fromTop, query, type Builder } from "../engine/query.ts";
import type { OwnRowOf } from "../engine/table.ts";
import { reportTable } from "./report-table.ts";
import { insertReport } from "./report-insertion.ts";
import { removeReport } from "./report-removal.ts";
import { leaveTrace } from "../event/traces.ts";
import { followReport, testsOfReport } from "../unit-test/unit-test-rows.ts";

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

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("report").select(["visibility", "description", "private_notes"]).where("id", "=", $.id),
  ),
);

const update = query<{ id: string; visibility: string; description: string | null; notes: string | null }>()(
  (db, $) =>
    db
      .updateTable("report")
      .set({ visibility: $.visibility, description: $.description, private_notes: $.notes })
      .where("id", "=", $.id),
);

const notes = query<{ id: string }>()((db, $) =>
  db.selectFrom("report").select("private_notes").where("id", "=", $.id),
);

const ownIn = (db: Database): Pick<ReportStore, "own" | "remove"> => ({
  own: (id) =>
    db.read(function* () {
      const row = yield* one(notes, { id });
      const tests = yield* all(testsOfReport, { report: id });
      return row && { privateNotes: row.private_notes, singleTests: tests.length };
    }),
  remove: (id, now) => db.write("saved", () => removeReport(id, now)),
});

const uploadsIn = (db: Database): Pick<ReportStore, "payload" | "scheduled"> => ({
  payload: (id) =>
    db.read(function* () {
      return (yield* one(payload, { id }))?.payload ?? null;
    }),
  scheduled: (server, { from, to }, after, limit) =>
    db.read(function* () {
      const rows = yield* all(scheduled, { server, from, to, ...(after ?? { at: from, id: "" }), limit });
      return rows.map((row) => ({ report: toReport(row), payload: row.payload }));
    }),
});
export function reportStore(db: Database): ReportStore {
  return {
    insert: (...args) => db.write("saved", () => insertReport(...args)),
    find: (id, viewer, now) =>
      db.read(function* () {
        const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin), now });
        return row && toReport(row);
      }),
    ...uploadsIn(db),
    ...ownIn(db),
    list: (viewer, filter, after, limit, now) =>
      db.read(function* () {
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
      }),
    update: (id, changes, traceOf, isPublishable = () => true) =>
      db.write("saved", function* () {
        const row = yield* one(lock, { id });
        if (!row) return;
        const before = Visibility.parse(row.visibility);
        const after = {
          visibility: changes.visibility ?? before,
          description: changes.description === undefined ? row.description : changes.description,
          notes: changes.privateNotes === undefined ? row.private_notes : changes.privateNotes,
        };
        const same = after.description === row.description && after.notes === row.private_notes;
        if (same && after.visibility === before) return;
        yield* run(update, { id, ...after });
        if (after.visibility !== before) yield* followReport(id, after.visibility, isPublishable);
        yield* leaveTrace(traceOf?.(before, after.visibility) ?? null);
      }),
  };
}
