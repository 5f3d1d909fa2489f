import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { adviseTuning, TuningAdvice } from "../../../core/report/tuning/tuning-advice.ts";
import { exampleReportDetail } from "./example-report.ts";
import { exampleTuningAdvice } from "./example-tuning.ts";
import { readableUpload } from "./stored-upload.ts";

export const getTuningAdvice = defineEndpoint({
  id: "reports.tuning",
  method: "GET",
  path: "/reports/{id}/tuning",
  params: { id: "report_id" },
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "What to change on the server of a benchmark run, why, and which test to run again.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: TuningAdvice,
  errors: ["not_found", "invalid_state"],
  example: { input: { report_id: exampleReportDetail.short_id }, output: exampleTuningAdvice },

  async handle({ report_id }, context) {
    const { report, payload } = await readableUpload(report_id, context);
    return adviseTuning(report, payload);
  },
});
