import { selectCatalogueEntry } from "../../../store/offer/offer-catalogue.ts";
import { setOfferDispute } from "../../../services/offer/set-offer-dispute.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const setDispute = defineEndpoint({
  id: "offers.set_dispute",
  method: "PUT",
  path: "/admin/offers/{offer_id}/dispute",
  params: { offer_id: "offer_id" },
  access: { face: "web", who: "admin" },
  summary: "Open a dispute about an offer, which shows it as contested, or end it.",
  input: z.strictObject({ offer_id: plainText(64), open: z.boolean() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { offer_id: "iron-8", open: true }, output: null },

  async handle({ offer_id, open }, { db, caller, now, found }) {
    const { disputedAt } = found(await db.read(selectCatalogueEntry, offer_id));
    if (open !== (disputedAt !== null))
      await db.write(setOfferDispute, offer_id, open ? now : null, adminAct({ caller, now }));
    return nothing();
  },
});
