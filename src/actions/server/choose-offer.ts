import { action } from "../../contract/endpoint/action.ts";
import { saveChosenOffer } from "../../services/offer/choose-offer.ts";
import { resourceIdInput } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { ownServer, settingsOf } from "./server-settings.ts";

export const chooseOffer = action({
  id: "servers.choose_offer",
  who: "person",
  input: { server_id: resourceIdInput(), offer_id: plainText(128).nullable() },
  errors: ["not_found"],

  async run({ server_id, offer_id }, context) {
    const { db, found } = context;
    const server = await ownServer(server_id, context);
    if (!(await db.write(saveChosenOffer, server.id, offer_id))) found(null);
    return settingsOf(server.id, context);
  },
});
