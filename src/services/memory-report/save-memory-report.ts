import type { Plans } from "../../core/access/plan.ts";
import type { NewMemoryReport } from "../../core/memory-report/records.ts";
import { type Work, one, run, type Database } from "../../store/engine/database.ts";
import {
  type Stored,
  memoryReportByLocalId,
  memoryReportRow,
  insertMemoryDocument,
  insertMemoryReport,
} from "../../store/memory-report/memory-reports.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { storeMemoryReading } from "../../store/profile/readings.ts";
import { keptPlanOfServer, dropBeyond } from "../../store/profile/document-limits.ts";

function* earlierReport({ serverId, head }: NewMemoryReport): Work<Stored | null> {
  const row = yield* one(memoryReportByLocalId, { server: serverId, local: head.localId });
  return row && { id: row.id, created: false };
}

function* storeReport(report: NewMemoryReport, plans: Plans): Work<Stored> {
  const { id, serverId, uploadedAt } = report;
  yield* requireLinked(serverId);
  if ((yield* run(insertMemoryReport, memoryReportRow(report))) === 0) {
    const earlier = yield* earlierReport(report);
    if (!earlier) throw new Error("A memory report that conflicts with another cannot be alone.");
    return earlier;
  }
  yield* run(insertMemoryDocument, { report_id: id, document: report.document });
  yield* storeMemoryReading(id, report.diagnosis);
  const kept = plans[yield* keptPlanOfServer(serverId, uploadedAt)];
  yield* dropBeyond("memory_report", serverId, kept.memory_reports);
  return { id, created: true };
}

/**
 * A known `local_id` stores nothing and returns the earlier id. Reports beyond the plan's limit per server
 * are deleted, the oldest upload first.
 */
export async function saveMemoryReport(
  db: Database,
  report: NewMemoryReport,
  plans: Plans,
): Promise<{ id: string; created: boolean }> {
  // A repeated upload needs no write.
  const earlier = await db.read(() => earlierReport(report));
  return earlier ?? db.write(() => storeReport(report, plans));
}
