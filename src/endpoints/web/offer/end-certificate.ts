import { selectCatalogueEntry } from "../../../store/offer/offer-catalogue.ts";
import { closeCertificate } from "../../../services/offer/end-certificate.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const endCertificate = defineEndpoint({
  id: "offers.end_certificate",
  method: "DELETE",
  path: "/admin/offers/{offer_id}/certificate",
  params: { offer_id: "offer_id" },
  access: { face: "web", who: "admin" },
  summary: "Withdraw an offer's certificate now: its report is unlocked and no longer certified.",
  input: z.strictObject({ offer_id: plainText(64) }),
  output: z.null(),
  success: [204],
  errors: ["not_found", "invalid_state"],
  example: { input: { offer_id: "iron-8" }, output: null },

  async handle({ offer_id }, { db, caller, now, found, fail }) {
    found(await db.read(selectCatalogueEntry, offer_id));
    if (!(await db.write(closeCertificate, offer_id, now, adminAct({ caller, now }))))
      return fail("invalid_state", "This offer has no valid certificate. Nothing was changed.");
    return nothing();
  },
});
