import type { LinkStore } from "../../core/server/store.ts";
import { claimCredential } from "./claim-credential.ts";
import { offerLinkCode } from "./offer-link-code.ts";
import { useLinkCode } from "./use-link-code.ts";
import { one, type Database } from "../../store/engine/database.ts";
import { senderOfServer } from "../../store/server/links.ts";

export const linkStore = (db: Database): LinkStore => ({
  senderOf: async (server) => {
    const known = await db.read(() => one(senderOfServer, { server }));
    return known?.sender === "agent" ? "agent" : "plugin";
  },
  offer: (request) => db.write("saved", () => offerLinkCode(request)),
  use: (request) => db.write("saved", () => useLinkCode(request)),
  claim: (...request) => claimCredential(db, ...request),
});
