import {
  selectMemoryReport,
  selectMemoryDocument,
  readMemoryDiagnosis,
} from "../../../store/memory-report/memory-reports.ts";
import { keepMemoryReading } from "../../../store/profile/readings.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { MemoryReportDetail } from "../../../core/memory-report/memory-report.ts";
import { toMemoryReportDetail } from "../../../core/memory-report/show.ts";
import { exampleMemoryReportDetail } from "./example-memory-report.ts";

export const getMemoryReport = defineEndpoint({
  id: "memory_reports.get",
  method: "GET",
  path: "/servers/{id}/memory-reports/{reportId}",
  params: { id: "server_id", reportId: "report_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "A report on the heap in full: memory of each plugin, leak suspects and the objects that hold them.",
  input: z.strictObject({ server_id: resourceIdInput(), report_id: resourceIdInput() }),
  output: MemoryReportDetail,
  errors: ["not_found"],
  example: {
    input: { server_id: exampleMemoryReportDetail.server_id, report_id: exampleMemoryReportDetail.id },
    output: exampleMemoryReportDetail,
  },

  async handle({ server_id, report_id }, { db, caller, baseUrl, found, readDocuments }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)), { field: "server_id" });
    const record = found(await db.read(selectMemoryReport, server.id, report_id), { field: "report_id" });
    const stored = await readMemoryDiagnosis(db, record.id);
    if (stored !== null) return toMemoryReportDetail(record, stored, baseUrl);
    const document = await db.read(selectMemoryDocument, record.id);
    const read = document && (await readDocuments("memoryDiagnosis", document));
    // If this fails, the next reader computes it again.
    if (read) await db.writeRelaxed(keepMemoryReading, record.id, read.packed).catch(() => {});
    return toMemoryReportDetail(record, read && read.diagnosis, baseUrl);
  },
});
