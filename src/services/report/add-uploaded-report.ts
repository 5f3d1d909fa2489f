import type { NewNotice } from "../../core/notice/notice.ts";
import type { NewReport } from "../../core/report/records.ts";
import type { ReportedSoftware } from "../../core/software/reported-software.ts";
import type { NewUnitTest } from "../../core/unit-test/records.ts";
import { recordReportedSoftware } from "../software/record-reported-software.ts";
import { addReport } from "./add-report.ts";

/** With a new report, also records the software that it was measured with. */
export function* addUploadedReport(
  report: NewReport,
  software: ReportedSoftware,
  notice: NewNotice | null,
  unitTest: NewUnitTest | null,
) {
  const stored = yield* addReport(report, notice, unitTest);
  const { serverId, createdAt: now, finishedAt: happenedAt } = report;
  if (stored.created) yield* recordReportedSoftware(serverId, software, { now, happenedAt });
  return stored;
}
