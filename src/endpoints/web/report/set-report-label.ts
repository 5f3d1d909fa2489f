import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { labelAtMost } from "../../../core/report/report-name.ts";
import { rightsOver } from "../../../core/report/rights.ts";
import { callerName } from "../../../core/text/third-party-text.ts";
import { saveReportLabel } from "../../../store/report/report-names.ts";
import { selectReport } from "../../../store/report/reports.ts";

export const setReportLabel = defineEndpoint({
  id: "reports.set_label",
  method: "PUT",
  path: "/reports/{id}/label",
  params: { id: "report_id" },
  access: { face: "web", who: "person" },
  summary: "Give an own report a label that only its author sees; null takes it off.",
  input: z.strictObject({ report_id: resourceOrShortIdInput(), label: callerName(labelAtMost).nullable() }),
  output: z.null(),
  success: [204],
  errors: ["not_found", "not_owner"],
  example: { input: { report_id: "k7m2q9xwpd4e", label: "Before the move" }, output: null },

  async handle({ report_id, label }, { db, caller, now, found, fail }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    if (!rightsOver(report, caller.account.id).all)
      fail("not_owner", "Only the author of a report can give it a label.");
    await db.write(saveReportLabel, report.id, label?.trim() ?? null);
    return nothing();
  },
});
