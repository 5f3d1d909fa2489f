import type { ReportRemoval } from "../../core/report/records.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, one, all, run } from "../../store/engine/database.ts";
import { lockCertificate, deleteTestRow, deleteReportRow } from "../../store/report/report-removal.ts";
import { testsOfReport } from "../../store/unit-test/unit-test-rows.ts";

/** Also deletes the report's single tests. A certified report is not deleted. */
export function* removeReport(id: string, now: Instant): Work<ReportRemoval> {
  const row = yield* one(lockCertificate, { id });
  if (!row) return "gone";
  if (row.certificate_expires_at !== null && row.certificate_expires_at > now) return "certified";
  for (const test of yield* all(testsOfReport, { report: id })) yield* run(deleteTestRow, { id: test.id });
  yield* run(deleteReportRow, { id });
  return "removed";
}
