import { action } from "../../contract/endpoint/action.ts";
import { selectReport } from "../../store/report/reports.ts";
import { removeReport } from "../../services/report/remove-report.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";
import { rightsOver } from "../../core/report/rights.ts";

/** Deletes its upload and its unit tests as well. */
export const deleteReport = action({
  id: "reports.delete",
  who: "person",
  input: { report_id: resourceOrShortIdInput() },
  errors: ["not_found", "not_owner", "report_locked"],

  async run({ report_id }, { db, caller, now, found, fail }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    if (!rightsOver(report, caller.account.id).all)
      fail("not_owner", "Only the author of a report can delete it.");
    if ((await db.write(removeReport, report.id, now)) === "certified")
      fail(
        "report_locked",
        "A certified report cannot be deleted until its certificate ends. Delete it afterwards.",
      );
    return null;
  },
});
