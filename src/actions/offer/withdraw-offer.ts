import { action } from "../../contract/endpoint/action.ts";
import { retractOffer } from "../../services/offer/retract-offer.ts";
import { adminAct } from "../admin-log-entry.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** Deletes the offer; its certified report is unlocked. */
export const withdrawOffer = action({
  id: "offers.withdraw",
  who: "admin",
  input: { offer_id: plainText(64) },
  errors: ["not_found"],

  async run({ offer_id }, { db, caller, now, found }) {
    found((await db.write(retractOffer, offer_id, now, adminAct({ caller, now }))) || null);
    return null;
  },
});
