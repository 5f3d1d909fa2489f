import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { completeList } from "../../contract/endpoint/page.ts";
import { isFullId } from "../../core/id-form.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { selectReportNames } from "../../store/report/report-names.ts";

/** What this person recognises reports by: their labels, the names of their servers, and their times. */
export const listReportNames = action({
  id: "reports.list_names",
  who: "person",
  input: { ids: z.array(plainText(64)).max(200) },
  errors: [],

  async run({ ids }, { db, caller, now }) {
    return completeList(await db.read(selectReportNames, ids.filter(isFullId), caller.account.id, now));
  },
});
