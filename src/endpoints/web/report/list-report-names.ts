import { z } from "zod";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { isFullId } from "../../../core/id-form.ts";
import { ReportName } from "../../../core/report/report-name.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { selectReportNames } from "../../../store/report/report-names.ts";

const exampleId = "019a9f5e-1d00-7000-8000-000000000030";

export const listReportNames = defineEndpoint({
  id: "reports.list_names",
  method: "GET",
  path: "/reports/names",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "What this person recognises reports by: their labels, the names of their servers, and their times.",
  input: z.strictObject({ ids: z.array(plainText(64)).max(200) }),
  output: pageOf(ReportName),
  errors: [],
  example: {
    input: { ids: [exampleId] },
    output: {
      data: [
        {
          id: exampleId,
          label: "Before the move",
          server_name: "Survival",
          measured_at: "2026-11-20T12:00:00.000Z",
        },
      ],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ ids }, { db, caller, now }) {
    return completeList(await db.read(selectReportNames, ids.filter(isFullId), caller.account.id, now));
  },
});
