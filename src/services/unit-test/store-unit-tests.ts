import type { NewUnitTest } from "../../core/unit-test/records.ts";
import { insertAll } from "../../store/engine/bulk.ts";
import { type Work, one } from "../../store/engine/database.ts";
import { requireLinked } from "../../store/server/locks.ts";
import type { RowOf } from "../../store/engine/table.ts";
import {
  unitTestByLocalId,
  providerOf,
  insertUnitTests,
  reportByLocalId,
  type StoredContent,
} from "../../store/unit-test/unit-test-rows.ts";
import { unitTestTable } from "../../store/unit-test/unit-test-table.ts";
import { takeReport } from "../auto-bench/take-report.ts";

function* parentsOf(server: string, tests: readonly NewUnitTest[]) {
  const parents = new Map<string, string | null>();
  for (const { parentReportLocalId: local } of tests) {
    if (local === null || parents.has(local)) continue;
    parents.set(local, (yield* one(reportByLocalId, { server, local }))?.id ?? null);
  }
  return parents;
}

/** The job of each new test's nonce. Throws the run's refusal if no job takes the test. */
function* jobsOf(server: string, tests: readonly NewUnitTest[]) {
  const jobs = new Map<string, string>();
  // By nonce, so that two overlapping uploads cannot deadlock.
  const claims = tests
    .flatMap(({ run: of, localId, createdAt }) => (of ? [{ ...of, localId, createdAt }] : []))
    .toSorted((a, b) => (a.nonce < b.nonce ? -1 : Number(a.nonce > b.nonce)));
  for (const { nonce, refuse, localId: local, createdAt } of claims) {
    if (jobs.has(nonce) || (yield* one(unitTestByLocalId, { server, local }))) continue;
    jobs.set(nonce, (yield* takeReport(nonce, server, createdAt)) ?? refuse());
  }
  return jobs;
}

/** Returns ids of new and known tests. `job`: of the report the tests came with; others name their own. */
export function* storeUnitTests(
  tests: readonly NewUnitTest[],
  job: string | null = null,
): Work<{ ids: string[]; created: number }> {
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
  // By local id, so that two overlapping uploads cannot deadlock.
  const sorted = tests.toSorted((a, b) => (a.localId < b.localId ? -1 : Number(a.localId > b.localId)));
  const { returned } = yield* insertAll(insertUnitTests, sorted.map(rowOf));
  const known = new Map(returned.map(({ id, local_id }) => [local_id, id]));
  const ids: string[] = [];
  for (const { localId: local } of tests) {
    const id = known.get(local) ?? (yield* one(unitTestByLocalId, { server, local }))?.id;
    if (id === undefined) throw new Error("A test that conflicts with another cannot be alone.");
    known.set(local, id);
    ids.push(id);
  }
  return { ids, created: returned.length };
}
