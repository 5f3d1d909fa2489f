import type { NewNotice } from "../../core/notice/notice.ts";
import type { NewUnitTest } from "../../core/unit-test/records.ts";
import type { NewReport } from "../../core/report/records.ts";
import { takeReport } from "../auto-bench/auto-bench-rows.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { requireLinked } from "../server/locks.ts";
import { queueNotice } from "../notice/outbox.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { reportTable } from "./report-table.ts";
import { storeUnitTests } from "../unit-test/unit-test-rows.ts";

const insert = query<RowOf<typeof reportTable>>()((db, $) =>
  db
    .insertInto("report")
    .values(placesOf(reportTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

const byLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("report")
    .select(["id", "short_id"])
    .where("server_id", "=", $.server)
    .where("local_id", "=", $.local),
);

/** The job a report belongs to; refuses a report of a run that takes none. */
function* jobOf({ run: of, serverId, createdAt }: NewReport): Generator<Step, string | null, Result> {
  const job = of ? yield* takeReport(of.nonce, serverId, createdAt) : null;
  return job ?? of?.refuse() ?? null;
}

type Stored = { id: string; shortId: string; created: boolean };

/** Stores a report with what belongs to it: word to its owner, its single test, its place in a scheduled run. */
export function* insertReport(
  report: NewReport,
  notice?: NewNotice | null,
  unitTest?: NewUnitTest | null,
): Generator<Step, Stored, Result> {
  const { id, shortId, serverId, localId, content } = report;
  yield* requireLinked(serverId);
  const before = report.run && (yield* one(byLocalId, { server: serverId, local: localId }));
  if (before) return { id: before.id, shortId: before.short_id, created: false };
  const job = yield* jobOf(report);
  const stored = yield* run(insert, {
    ...reportTable.toRow({
      ...report,
      visibility: "private",
      certifiedAt: null,
      certificateExpiresAt: null,
    }),
    local_id: localId,
    benchmark_mode: content.benchmark_mode,
    server_type: content.server.type,
    private_notes: null,
    payload: report.payload,
    job_id: job,
  });
  if (stored === 1) {
    if (notice) yield* queueNotice(notice);
    if (unitTest) yield* storeUnitTests([unitTest], job);
    return { id, shortId, created: true };
  }
  const earlier = yield* one(byLocalId, { server: serverId, local: localId });
  if (!earlier) throw new Error("A report that conflicts with another cannot be alone.");
  return { id: earlier.id, shortId: earlier.short_id, created: false };
}
