import { takeServerOffOffer } from "../../../services/offer/take-server-off-offer.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const unlinkOfferServer = defineEndpoint({
  id: "offers.unlink_server",
  method: "DELETE",
  path: "/admin/offers/{offer_id}/servers/{server_id}",
  params: { offer_id: "offer_id", server_id: "server_id" },
  access: { face: "web", who: "admin" },
  summary:
    "Remove a server from an offer that its owner chose: its reports are no longer evidence for the offer.",
  input: z.strictObject({ offer_id: plainText(64), server_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: {
    input: { offer_id: "iron-8", server_id: "019a9f5e-1d00-7000-8000-000000000003" },
    output: null,
  },

  async handle({ offer_id, server_id }, { db, caller, now, found }) {
    found((await db.write(takeServerOffOffer, offer_id, server_id, adminAct({ caller, now }))) || null);
    return nothing();
  },
});
