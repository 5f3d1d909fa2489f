import { retractOffer } from "../../../services/offer/retract-offer.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const withdrawOffer = defineEndpoint({
  id: "offers.withdraw",
  method: "DELETE",
  path: "/admin/offers/{offer_id}",
  params: { offer_id: "offer_id" },
  access: { face: "web", who: "admin" },
  summary: "Remove an offer from the catalogue; its certified report is unlocked.",
  input: z.strictObject({ offer_id: plainText(64) }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { offer_id: "iron-8" }, output: null },

  async handle({ offer_id }, { db, caller, now, found }) {
    found((await db.write(retractOffer, offer_id, now, adminAct({ caller, now }))) || null);
    return nothing();
  },
});
