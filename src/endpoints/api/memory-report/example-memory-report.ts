import { compareMemory } from "../../../core/memory-report/comparison.ts";
import { diagnoseMemory } from "../../../core/memory-report/diagnose.ts";
import { MemoryDocument } from "../../../core/memory-report/document.ts";
import { exampleMemoryUpload } from "../../../core/memory-report/example-document.ts";
import { headOf, toMemoryReport, toMemoryReportDetail } from "../../../core/memory-report/show.ts";
import type { MemoryReportRecord } from "../../../core/memory-report/records.ts";

const document = MemoryDocument.parse(exampleMemoryUpload);

/** The same server one day earlier. */
const earlier = MemoryDocument.parse({
  ...exampleMemoryUpload,
  local_id: "heap-2026-11-19_07-10-00",
  created_at: "2026-11-19T07:10:00.000Z",
  dump_id: "dump-2026-11-19_07-09-40",
  suspects: [],
});

const recordOf = (report: MemoryDocument, id: string, at: number): MemoryReportRecord => ({
  id,
  serverId: "019a9f5e-1d00-7000-8000-000000000010",
  serverName: "Lobby",
  uploadedAt: at + 2_000,
  head: headOf(report),
});

const record = recordOf(document, "019a9f5e-1d00-7000-8000-000000000052", Date.UTC(2026, 10, 20, 7, 12, 3));
const before = recordOf(earlier, "019a9a4f-3000-7000-8000-000000000051", Date.UTC(2026, 10, 19, 7, 10, 0));
const baseUrl = "https://tickmark.example";

export const exampleMemoryReport = toMemoryReport(record, baseUrl);
export const exampleMemoryReportDetail = toMemoryReportDetail(record, diagnoseMemory(document), baseUrl);
export const exampleMemoryComparison = compareMemory(
  { record: before, document: earlier },
  { record, document },
  baseUrl,
);
