import type { TraceOf } from "../../core/event/trace.ts";
import type { ReportChanges } from "../../core/report/records.ts";
import { type Report, Visibility } from "../../core/report/report.ts";
import { followReport } from "../unit-test/follow-report.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import { lockReport, updateReportRow } from "../../store/report/reports.ts";
import { recordTrace } from "../event/record-trace.ts";

/** The report's single tests get its visibility, except those whose description `isPublishable` rejects. */
export function* changeReport(
  id: string,
  changes: ReportChanges,
  traceOf?: TraceOf<Report["visibility"]>,
  isPublishable: (description: string) => boolean = () => true,
): Work<void> {
  const row = yield* one(lockReport, { id });
  if (!row) return;
  const before = Visibility.parse(row.visibility);
  const after = {
    visibility: changes.visibility ?? before,
    description: changes.description === undefined ? row.description : changes.description,
    notes: changes.privateNotes === undefined ? row.private_notes : changes.privateNotes,
  };
  const same = after.description === row.description && after.notes === row.private_notes;
  if (same && after.visibility === before) return;
  yield* run(updateReportRow, { id, ...after });
  if (after.visibility !== before) yield* followReport(id, after.visibility, isPublishable);
  yield* recordTrace(traceOf?.(before, after.visibility) ?? null);
}
