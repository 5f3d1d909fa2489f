import { action } from "../../contract/endpoint/action.ts";
import { takeServerOffOffer } from "../../services/offer/take-server-off-offer.ts";
import { adminAct } from "../admin-log-entry.ts";
import { resourceIdInput } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** The server's owner had chosen the offer; its reports are no longer evidence for it. */
export const unlinkOfferServer = action({
  id: "offers.unlink_server",
  who: "admin",
  input: { offer_id: plainText(64), server_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ offer_id, server_id }, { db, caller, now, found }) {
    found((await db.write(takeServerOffOffer, offer_id, server_id, adminAct({ caller, now }))) || null);
    return null;
  },
});
