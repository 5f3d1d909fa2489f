import { action } from "../../contract/endpoint/action.ts";
import { certify } from "../../services/offer/certify-offer.ts";
import { selectReport } from "../../store/report/reports.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { adminAct } from "../admin-log-entry.ts";
import { IdOrShortFilter } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** For a public or unlisted report, for 365 days: the report is locked and does not expire. */
export const certifyOffer = action({
  id: "offers.certify",
  who: "admin",
  input: { offer_id: plainText(64), report_id: IdOrShortFilter },
  errors: ["not_found", "validation_error", "invalid_state"],

  async run({ offer_id, report_id }, { db, caller, now, found, fail }) {
    const report = await db.read(selectReport, report_id, viewerOf(caller), now);
    const certified =
      report && (await db.write(certify, offer_id, report.id, now, adminAct({ caller, now })));
    if (certified === "no_offer") return found(null);
    if (certified === null || certified === "no_report")
      return fail("validation_error", "There is no report with this identifier. Check the identifier.", {
        field: "report_id",
      });
    if (certified === "private_report")
      return fail(
        "invalid_state",
        "A private report cannot be certified, because anybody may open a certified report. Ask its author to publish it first.",
      );
    return null;
  },
});
