import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { closeCertificate } from "../../services/offer/end-certificate.ts";
import { adminAct } from "../admin-log-entry.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** Unlocks the report; it is no longer certified. */
export const endCertificate = action({
  id: "offers.end_certificate",
  who: "admin",
  input: { offer_id: plainText(64) },
  errors: ["not_found", "invalid_state"],

  async run({ offer_id }, { db, caller, now, found, fail }) {
    found(await db.read(selectCatalogueEntry, offer_id));
    if (!(await db.write(closeCertificate, offer_id, now, adminAct({ caller, now }))))
      return fail("invalid_state", "This offer has no valid certificate. Nothing was changed.");
    return null;
  },
});
