import type { NewNotice } from "../../core/notice/notice.ts";
import type { NewReport } from "../../core/report/records.ts";
import { storeUnitTests } from "../unit-test/store-unit-tests.ts";
import type { NewUnitTest } from "../../core/unit-test/records.ts";
import { type Work, run, one } from "../../store/engine/database.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { reportTable } from "../../store/report/report-table.ts";
import { reportIdsByLocalId, insertReportRow } from "../../store/report/report-insertion.ts";
import { takeReport } from "../auto-bench/take-report.ts";
import { queueNotice } from "../notice/queue-notice.ts";

/** The job that a report belongs to. Throws the run's refusal if no job takes the report. */
export function* jobOf({ run: of, serverId, createdAt }: NewReport): Work<string | null> {
  const job = of ? yield* takeReport(of.nonce, serverId, createdAt) : null;
  return job ?? of?.refuse() ?? null;
}
type Stored = { id: string; shortId: string; created: boolean };

/** Stores a report, with the owner's notice, its single test and its job. A known local id stores nothing. */
export function* addReport(
  report: NewReport,
  notice?: NewNotice | null,
  unitTest?: NewUnitTest | null,
): Work<Stored> {
  const { id, shortId, serverId, localId, content } = report;
  yield* requireLinked(serverId);
  const before = report.run && (yield* one(reportIdsByLocalId, { server: serverId, local: localId }));
  if (before) return { id: before.id, shortId: before.short_id, created: false };
  const job = yield* jobOf(report);
  const stored = yield* run(insertReportRow, {
    ...reportTable.toRow({
      ...report,
      visibility: "private",
      certifiedAt: null,
      certificateExpiresAt: null,
      label: null,
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
  const earlier = yield* one(reportIdsByLocalId, { server: serverId, local: localId });
  if (!earlier) throw new Error("A report that conflicts with another cannot be alone.");
  return { id: earlier.id, shortId: earlier.short_id, created: false };
}
