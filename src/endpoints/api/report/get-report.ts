import { selectReport } from "../../../store/report/reports.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { ReportDetail } from "../../../core/report/report.ts";
import { toReportDetail } from "../../../core/report/show.ts";
import { exampleReportDetail } from "./example-report.ts";

export const getReport = defineEndpoint({
  id: "reports.get",
  method: "GET",
  path: "/reports/{id}",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "One benchmark report in full.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: ReportDetail,
  errors: ["not_found"],
  example: { input: { report_id: exampleReportDetail.short_id }, output: exampleReportDetail },

  async handle({ report_id }, { db, caller, now, found }) {
    const viewer = viewerOf(caller);
    const report = found(await db.read(selectReport, report_id, viewer, now));
    return toReportDetail(report, viewer, now);
  },
});
