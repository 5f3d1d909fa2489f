import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { compareMemoryReports } from "../../../../endpoints/api/memory-report/compare-memory-reports.ts";
import type { getMemoryReport } from "../../../../endpoints/api/memory-report/get-memory-report.ts";

export type MemoryReportAnswer = PersonAnswer<typeof getMemoryReport>;
export type MemoryDiagnosisAnswer = NonNullable<MemoryReportAnswer["diagnosis"]>;
export type Comparison = PersonAnswer<typeof compareMemoryReports>;
