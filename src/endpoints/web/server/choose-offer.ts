import { saveChosenOffer } from "../../../services/offer/choose-offer.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { exampleSettings, ownServer, ServerSettings, settingsOf } from "./server-settings.ts";

export const chooseOffer = defineEndpoint({
  id: "servers.choose_offer",
  method: "PUT",
  path: "/servers/{id}/offer",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "Say which hosting offer a server runs on. From then on its public reports are evidence for that offer.",
  input: z.strictObject({ server_id: resourceIdInput(), offer_id: plainText(128).nullable() }),
  output: ServerSettings,
  errors: ["not_found"],
  example: { input: { server_id: exampleServer.id, offer_id: "iron-8" }, output: exampleSettings },

  async handle({ server_id, offer_id }, context) {
    const { db, found } = context;
    const server = await ownServer(server_id, context);
    if (!(await db.write(saveChosenOffer, server.id, offer_id))) found(null);
    return settingsOf(server.id, context);
  },
});
