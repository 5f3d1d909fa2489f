import { action } from "../../contract/endpoint/action.ts";
import { selectReport, selectOwnReport } from "../../store/report/reports.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { resourceOrShortIdInput } from "../../core/id.ts";
import { rightsOver } from "../../core/report/rights.ts";

export const getOwnReport = action({
  id: "reports.get_own",
  who: "person",
  input: { report_id: resourceOrShortIdInput() },
  errors: ["not_found"],

  async run({ report_id }, { db, caller, now, found }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    const rights = rightsOver(report, caller.account.id);
    // Only the author sees notes and unit tests.
    const own = rights.all ? found(await db.read(selectOwnReport, report.id)) : null;
    return {
      may_manage: rights.all,
      may_describe: rights.description,
      private_notes: own?.privateNotes ?? null,
      single_tests: own?.singleTests ?? 0,
    };
  },
});
