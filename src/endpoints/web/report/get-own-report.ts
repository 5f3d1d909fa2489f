import { selectReport, selectOwnReport } from "../../../store/report/reports.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceOrShortIdInput } from "../../../core/id.ts";
import { rightsOver } from "../../../core/report/rights.ts";
import { callerText } from "../../../core/text/third-party-text.ts";

/** What a report's page offers this person; the API never tells it. */
const OwnReport = z.object({
  /** Its author: visibility, notes and its end are theirs. */
  may_manage: z.boolean(),
  may_describe: z.boolean(),
  /** Null for everybody but the author. */
  private_notes: callerText(10_000).nullable(),
  /** Single tests that go where the report goes; 0 for everybody but the author. */
  single_tests: z.int(),
});

export const getOwnReport = defineEndpoint({
  id: "reports.get_own",
  method: "GET",
  path: "/reports/{id}/own",
  params: { id: "report_id" },
  access: { face: "web", who: "person" },
  summary: "Whether this person may change a report, and the author's private notes.",
  input: z.strictObject({ report_id: resourceOrShortIdInput() }),
  output: OwnReport,
  errors: ["not_found"],
  example: {
    input: { report_id: "k7m2q9xwpd4e" },
    output: { may_manage: true, may_describe: true, private_notes: "Before the move.", single_tests: 0 },
  },

  async handle({ report_id }, { db, caller, now, found }) {
    const report = found(await db.read(selectReport, report_id, viewerOf(caller), now));
    const rights = rightsOver(report, caller.account.id);
    const own = rights.all ? found(await db.read(selectOwnReport, report.id)) : null;
    return {
      may_manage: rights.all,
      may_describe: rights.description,
      private_notes: own?.privateNotes ?? null,
      single_tests: own?.singleTests ?? 0,
    };
  },
});
