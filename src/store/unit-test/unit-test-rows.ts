import type { NewUnitTest } from "../../core/unit-test/records.ts";
import type { UnitTestContent } from "../../core/unit-test/content.ts";
import { takeReport } from "../auto-bench/auto-bench-rows.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { all, one, run, type Result, type Step } from "../engine/database.ts";
import { requireLinked } from "../server/locks.ts";
import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { unitTestTable } from "./unit-test-table.ts";

/** What the content column holds: the provider is a fact of the moment, so it is written down with the rest. */
export type StoredContent = UnitTestContent & { readonly provider: string | null };

/** The same server and local id is the same test: the first one stays. */
const insert = bulk<RowOf<typeof unitTestTable>>(unitTestTable.columns)((db, rows) =>
  db
    .insertInto("unit_test")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing())
    .returning(["id", "local_id"]),
);

const byLocalId = query<{ server: string; local: string }>()((db, $) =>
  db.selectFrom("unit_test").select("id").where("server_id", "=", $.server).where("local_id", "=", $.local),
);

const reportByLocalId = query<{ server: string; local: string }>()((db, $) =>
  db.selectFrom("report").select("id").where("server_id", "=", $.server).where("local_id", "=", $.local),
);

const providerOf = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("offer as o", "o.id", "s.offer_id")
    .innerJoin("provider as p", "p.id", "o.provider_id")
    .select("p.name")
    .where("s.id", "=", $.server),
);

function* parentsOf(server: string, tests: readonly NewUnitTest[]) {
  const parents = new Map<string, string | null>();
  for (const { parentReportLocalId: local } of tests) {
    if (local === null || parents.has(local)) continue;
    parents.set(local, (yield* one(reportByLocalId, { server, local }))?.id ?? null);
  }
  return parents;
}

/** The job of each nonce that came with a test the server did not send before; refuses one of a run that takes none. */
function* jobsOf(server: string, tests: readonly NewUnitTest[]) {
  const jobs = new Map<string, string>();
  // By nonce, so that two uploads that overlap never wait for each other in a circle.
  const claims = tests
    .flatMap(({ run: of, localId, createdAt }) => (of ? [{ ...of, localId, createdAt }] : []))
    .toSorted((a, b) => (a.nonce < b.nonce ? -1 : Number(a.nonce > b.nonce)));
  for (const { nonce, refuse, localId: local, createdAt } of claims) {
    if (jobs.has(nonce) || (yield* one(byLocalId, { server, local }))) continue;
    jobs.set(nonce, (yield* takeReport(nonce, server, createdAt)) ?? refuse());
  }
  return jobs;
}

/**
 * Stores the tests of one server, and finds those it sent before. `job` is that of the report they came in; tests
 * that came by themselves name their own.
 */
export function* storeUnitTests(
  tests: readonly NewUnitTest[],
  job: string | null = null,
): Generator<Step, { ids: string[]; created: number }, Result> {
  const server = tests[0]?.serverId;
  if (server === undefined) return { ids: [], created: 0 };
  yield* requireLinked(server);
  const provider = (yield* one(providerOf, { server }))?.name ?? null;
  const parents = yield* parentsOf(server, tests);
  const jobs = yield* jobsOf(server, tests);
  const rowOf = (test: NewUnitTest): RowOf<typeof unitTestTable> => ({
    ...unitTestTable.toRow({ ...test, visibility: "private" }),
    local_id: test.localId,
    parent_report_id:
      test.parentReportLocalId === null ? null : (parents.get(test.parentReportLocalId) ?? null),
    job_id: test.run ? (jobs.get(test.run.nonce) ?? null) : job,
    test_id: test.content.test_id ?? "",
    category: test.content.category,
    benchmark_mode: test.content.benchmark_mode ?? "standard",
    content: JSON.stringify({ ...test.content, provider } satisfies StoredContent),
  });
  // By local id, so that two uploads that overlap never wait for each other in a circle.
  const sorted = tests.toSorted((a, b) => (a.localId < b.localId ? -1 : Number(a.localId > b.localId)));
  const { returned } = yield* insertAll(insert, sorted.map(rowOf));
  const known = new Map(returned.map(({ id, local_id }) => [local_id, id]));
  const ids: string[] = [];
  for (const { localId: local } of tests) {
    const id = known.get(local) ?? (yield* one(byLocalId, { server, local }))?.id;
    if (id === undefined) throw new Error("A test that conflicts with another cannot be alone.");
    known.set(local, id);
    ids.push(id);
  }
  return { ids, created: returned.length };
}

/** The tests that go where the report goes: its own, of the same author. */
export const testsOfReport = query<{ report: string }>()((db, $) =>
  db
    .selectFrom("unit_test as t")
    .innerJoin("report as r", "r.id", "t.parent_report_id")
    .select(["t.id", "t.content"])
    .where("t.parent_report_id", "=", $.report)
    .whereRef("t.author_id", "=", "r.author_id"),
);

export const setVisibility = query<{ id: string; visibility: string }>()((db, $) =>
  db.updateTable("unit_test").set({ visibility: $.visibility }).where("id", "=", $.id),
);

const descriptionIn = (json: string): string | null => (JSON.parse(json) as StoredContent).description;

/** The tests of a report are seen by whoever sees it; one whose description may not be published stays as it is. */
export function* followReport(
  report: string,
  visibility: string,
  isPublishable: (description: string) => boolean,
): Generator<Step, void, Result> {
  for (const { id, content } of yield* all(testsOfReport, { report })) {
    const description = descriptionIn(content);
    if (visibility === "private" || description === null || isPublishable(description))
      yield* run(setVisibility, { id, visibility });
  }
}
