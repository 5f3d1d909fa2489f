import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { completeList } from "../../contract/endpoint/page.ts";
import { isFullId } from "../../core/id-form.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { selectReportNames } from "../../store/report/report-names.ts";

/** Labels, server names and times, by which a person recognises reports. */
export const listReportNames = action({
  id: "reports.list_names",
  who: "person",
  input: { ids: z.array(plainText(64)).max(200) },
  errors: [],

  async run({ ids }, { db, caller, now }) {
    return completeList(await db.read(selectReportNames, ids.filter(isFullId), caller.account.id, now));
  },
});
