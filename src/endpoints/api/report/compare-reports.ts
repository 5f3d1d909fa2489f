import { selectReport } from "../../../store/report/reports.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { compareRecords } from "../../../core/report/compare-records.ts";
import { reportComparisonOf as compare, ReportComparison } from "../../../core/report/compare.ts";
import { exampleReportDetail } from "./example-report.ts";

export const compareReports = defineEndpoint({
  id: "reports.compare",
  method: "GET",
  path: "/reports/compare",
  params: {},
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "Which of two reports leads, metric by metric, and where they tie or cannot be compared.",
  input: z.strictObject({ base: resourceOrShortIdInput(), other: resourceOrShortIdInput() }),
  output: ReportComparison,
  errors: ["not_found"],
  example: {
    input: { base: exampleReportDetail.short_id, other: exampleReportDetail.short_id },
    output: compare(exampleReportDetail, exampleReportDetail),
  },

  async handle({ base, other }, { db, caller, now, found }) {
    const viewer = viewerOf(caller);
    const find = async (id: string, field: string) =>
      found(await db.read(selectReport, id, viewer, now), { field });
    return compareRecords({ base: await find(base, "base"), other: await find(other, "other") }, viewer, now);
  },
});
