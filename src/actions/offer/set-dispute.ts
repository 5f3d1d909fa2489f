import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { setOfferDispute } from "../../services/offer/set-offer-dispute.ts";
import { z } from "zod";
import { adminAct } from "../admin-log-entry.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** An open dispute shows the offer as contested. */
export const setDispute = action({
  id: "offers.set_dispute",
  who: "admin",
  input: { offer_id: plainText(64), open: z.boolean() },
  errors: ["not_found"],

  async run({ offer_id, open }, { db, caller, now, found }) {
    const { disputedAt } = found(await db.read(selectCatalogueEntry, offer_id));
    if (open !== (disputedAt !== null))
      await db.write(setOfferDispute, offer_id, open ? now : null, adminAct({ caller, now }));
    return null;
  },
});
