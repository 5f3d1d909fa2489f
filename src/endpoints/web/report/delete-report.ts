import { selectReport } from "../../../store/report/reports.ts";
import { removeReport } from "../../../services/report/remove-report.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { rightsOver } from "../../../core/report/rights.ts";

export const deleteReport = defineEndpoint({
  id: "reports.delete",
  method: "DELETE",
  path: "/reports/{id}",
  params: { id: "report_id" },
  access: { face: "web", who: "person" },
  summary: "Delete a report for good, with its upload and the single tests that belong to it.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found", "not_owner", "report_locked"],
  example: { input: { report_id: "k7m2q9xwpd4e" }, output: null },

  async handle({ report_id }, { db, caller, now, found, fail }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    if (!rightsOver(report, caller.account.id).all)
      fail("not_owner", "Only the author of a report can delete it.");
    if ((await db.write(removeReport, report.id, now)) === "certified")
      fail(
        "report_locked",
        "A certified report cannot be deleted until its certificate ends. Delete it afterwards.",
      );
    return nothing();
  },
});
