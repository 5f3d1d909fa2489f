import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { diagnose, Diagnosis } from "../../../core/report/diagnosis/diagnosis.ts";
import { exampleDiagnosis } from "./example-diagnosis.ts";
import { exampleReportDetail } from "./example-report.ts";
import { readableUpload } from "./stored-upload.ts";

export const diagnoseReport = defineEndpoint({
  id: "reports.diagnosis",
  method: "GET",
  path: "/reports/{id}/diagnosis",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "What held a benchmark run back, with the measurements and thresholds that say so.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: Diagnosis,
  errors: ["not_found", "invalid_state"],
  example: { input: { report_id: exampleReportDetail.short_id }, output: exampleDiagnosis },

  async handle({ report_id }, context) {
    const { report, payload } = await readableUpload(report_id, context);
    return diagnose(report, payload);
  },
});
