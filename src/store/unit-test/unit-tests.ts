import type { Viewer } from "../../core/viewer.ts";
import type { Instant } from "../../core/time.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Visibility } from "../../core/report/report.ts";
import { sql } from "kysely";
import type { UnitTestFilter, UnitTestRecord } from "../../core/unit-test/records.ts";
import { type Work, all, one, run, type Database } from "../engine/database.ts";
import { fromTop, query, type Builder } from "../engine/query.ts";
import { unitTestTable } from "./unit-test-table.ts";
import { setVisibilityOfTest, type StoredContent } from "./unit-test-rows.ts";

const contentFrom = (json: string): StoredContent => JSON.parse(json) as StoredContent;

type Eyes = { readonly viewer: string | null; readonly now: number };

/** The row's author, or the holder of its verified server. */
const ownedBy = (row: "t" | "p", viewer: string | null) =>
  sql<boolean>`(${sql.ref(`${row}.author_id`)} = cast(${viewer} as text) or (s.account_id = cast(${viewer} as text) and s.verified_at is not null))`;

const notExpired = (row: "t" | "p", now: number) =>
  sql<boolean>`(${sql.ref(`${row}.expires_at`)} is null or ${sql.ref(`${row}.expires_at`)} > ${now})`;

/** Whether the viewer's lists show the report; the id of any other report is not revealed. */
const listsReport = ({ viewer, now }: Eyes) =>
  sql<boolean>`(p.visibility = 'public' or (p.certificate_expires_at > ${now} and p.visibility <> 'private') or ${ownedBy("p", viewer)})`;

/** Unit tests with their server's holder, and the parent report if the viewer may know it. */
const unitTests = (db: Builder, $: Eyes) =>
  db
    .selectFrom("unit_test as t")
    .leftJoin("server as s", "s.id", "t.server_id")
    .leftJoin("report as p", (join) =>
      join.onRef("p.id", "=", "t.parent_report_id").on(notExpired("p", $.now)).on(listsReport($)),
    )
    .select([...unitTestTable.of("t"), "t.content", "s.account_id as holder_id", "p.id as parent_id"])
    .where(notExpired("t", $.now));

const find = query<Eyes & { id: string; admin: number }>()((db, $) =>
  unitTests(db, $)
    .where((eb) => eb.or([eb("t.id", "=", $.id), eb("t.short_id", "=", $.id)]))
    .where(
      sql<boolean>`(t.visibility <> 'private' or ${ownedBy("t", $.viewer)} or cast(${$.admin} as integer) = 1)`,
    ),
);

type ListValues = {
  viewer: string | null;
  now: number;
  mine: number;
  test: string | null;
  category: string | null;
  mode: string | null;
  parent: string | null;
  server: string | null;
  at: number;
  id: string;
  limit: number;
};

const newestFirst = (db: Builder, $: ListValues) =>
  unitTests(db, $)
    .where(sql<boolean>`(t.visibility = 'public' or ${ownedBy("t", $.viewer)})`)
    .where(sql<boolean>`(cast(${$.test} as text) is null or t.test_id = ${$.test})`)
    .where(sql<boolean>`(cast(${$.category} as text) is null or t.category = ${$.category})`)
    .where(sql<boolean>`(cast(${$.mode} as text) is null or t.benchmark_mode = ${$.mode})`)
    .where(sql<boolean>`(t.created_at, t.id) < (${$.at}, ${$.id})`)
    .orderBy("t.created_at", "desc")
    .orderBy("t.id", "desc")
    .limit($.limit);

type List = ReturnType<typeof newestFirst>;
const ofAuthor = (select: List, $: ListValues) => select.where("t.author_id", "=", $.viewer);
const ofServer = (select: List, $: ListValues) =>
  select.where("t.server_id", "=", $.server).where("s.account_id", "=", $.viewer);

/** Filters that leave few rows have their own queries, which use an index. */
const list = query<ListValues>()((db, $) => newestFirst(db, $));
const listOfAuthor = query<ListValues>()((db, $) => ofAuthor(newestFirst(db, $), $));
const listOfServer = query<ListValues>()((db, $) => ofServer(newestFirst(db, $), $));
const listOfBoth = query<ListValues>()((db, $) => ofServer(ofAuthor(newestFirst(db, $), $), $));

const listOfReport = query<ListValues>()((db, $) =>
  newestFirst(db, $)
    .where("t.parent_report_id", "=", $.parent)
    .where("p.id", "is not", null)
    .where(sql<boolean>`(cast(${$.mine} as integer) = 0 or t.author_id = cast(${$.viewer} as text))`)
    .where(
      sql<boolean>`(cast(${$.server} as text) is null or (t.server_id = ${$.server} and s.account_id = cast(${$.viewer} as text)))`,
    ),
);

const reportId = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("report")
    .select("id")
    .where((eb) => eb.or([eb("id", "=", $.id), eb("short_id", "=", $.id)])),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("unit_test").where("id", "=", $.id));

type Row = NonNullable<(typeof list)["types"]>["row"];

function toUnitTest(row: Row): UnitTestRecord {
  const { provider, ...content } = contentFrom(row.content);
  return Object.assign(unitTestTable.toRecord(row), {
    holderId: row.holder_id,
    parentReportId: row.parent_id,
    provider,
    content,
  });
}

/** By full or short id; null if the viewer may not see it, or it has expired. */
export function* selectUnitTest(id: string, viewer: Viewer, now: Instant): Work<UnitTestRecord | null> {
  const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin), now });
  return row && toUnitTest(row);
}

export function* selectUnitTests(
  viewer: Viewer,
  filter: UnitTestFilter,
  after: TimePosition | null,
  limit: number,
  now: Instant,
): Work<UnitTestRecord[]> {
  const { mine, serverId, parentReportId } = filter;
  const parent = parentReportId === null ? null : yield* one(reportId, { id: parentReportId });
  if (parentReportId !== null && parent === null) return [];
  const [whole, ofOneServer] = mine ? [listOfAuthor, listOfBoth] : [list, listOfServer];
  const ofScope = parent ? listOfReport : serverId === null ? whole : ofOneServer;
  const rows = yield* all(ofScope, {
    viewer: viewer.accountId,
    now,
    mine: Number(mine),
    test: filter.testId,
    category: filter.category,
    mode: filter.benchmarkMode,
    parent: parent?.id ?? null,
    server: serverId,
    ...(after ?? fromTop),
    limit,
  });
  return rows.map(toUnitTest);
}

export async function updateUnitTestVisibility(
  db: Database,
  id: string,
  visibility: Visibility,
): Promise<void> {
  return void (await db.write(() => run(setVisibilityOfTest, { id, visibility })));
}

export async function dropUnitTest(db: Database, id: string): Promise<void> {
  return void (await db.write(() => run(remove, { id })));
}
