import { action } from "../../contract/endpoint/action.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";
import { labelAtMost } from "../../core/report/report-name.ts";
import { rightsOver } from "../../core/report/rights.ts";
import { callerName } from "../../core/text/third-party-text.ts";
import { saveReportLabel } from "../../store/report/report-names.ts";
import { selectReport } from "../../store/report/reports.ts";

/** Only the author sees the label; null removes it. */
export const setReportLabel = action({
  id: "reports.set_label",
  who: "person",
  input: { report_id: resourceOrShortIdInput(), label: callerName(labelAtMost).nullable() },
  errors: ["not_found", "not_owner"],

  async run({ report_id, label }, { db, caller, now, found, fail }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    if (!rightsOver(report, caller.account.id).all)
      fail("not_owner", "Only the author of a report can give it a label.");
    await db.write(saveReportLabel, report.id, label?.trim() ?? null);
    return null;
  },
});
