import type { Answered } from "../../../contract/call/call-as-person.ts";
import type { compareMemoryReports } from "../../../endpoints/api/memory-reports/compare-memory-reports.ts";
import type { getMemoryReport } from "../../../endpoints/api/memory-reports/get-memory-report.ts";

export type Report = Answered<typeof getMemoryReport>;
export type Diagnosis = NonNullable<Report["diagnosis"]>;
export type Comparison = Answered<typeof compareMemoryReports>;
