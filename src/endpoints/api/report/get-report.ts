import { selectReport } from "../../../store/report/reports.ts";
import { selectRanks } from "../../../store/report/standings.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { ReportDetail } from "../../../core/report/report.ts";
import { Standing, standingOf } from "../../../core/report/standing.ts";
import { toReportDetail } from "../../../core/report/show.ts";
import { exampleReportDetail, exampleStanding } from "./example-report.ts";

/** `standing` is the place among the public reports; null if no score has one. */
const ReportWithStanding = ReportDetail.extend({ standing: Standing.nullable() });

export const getReport = defineEndpoint({
  id: "reports.get",
  method: "GET",
  path: "/reports/{id}",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "One benchmark report in full.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: ReportWithStanding,
  errors: ["not_found"],
  example: {
    input: { report_id: exampleReportDetail.short_id },
    output: { ...exampleReportDetail, standing: exampleStanding },
  },

  async handle({ report_id }, { db, caller, now, found }) {
    const viewer = viewerOf(caller);
    const report = found(await db.read(selectReport, report_id, viewer, now));
    const { algorithm_version: algorithmVersion, benchmark_mode: benchmarkMode } = report.content;
    const ranks =
      algorithmVersion === null ? null : await db.read(selectRanks, { algorithmVersion, benchmarkMode });
    return {
      ...toReportDetail(report, viewer, now),
      standing: standingOf(report.content, ranks),
    };
  },
});
