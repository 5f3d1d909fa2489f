import { selectCatalogueEntry } from "../../../store/offer/offer-catalogue.ts";
import { importOfferList } from "../../../services/offer/import-offer-list.ts";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleFields, OfferFields, toListed } from "./offer-fields.ts";

export const updateOffer = defineEndpoint({
  id: "offers.update",
  method: "PUT",
  path: "/admin/offers/{offer_id}",
  params: { offer_id: "id" },
  access: { face: "web", who: "admin" },
  summary: "Change an offer; its provider's name and address change for all offers of that provider.",
  input: OfferFields,
  output: OfferFields,
  errors: ["not_found"],
  example: { input: exampleFields, output: exampleFields },

  async handle(input, { db, caller, now, found }) {
    found(await db.read(selectCatalogueEntry, input.id));
    await db.write(importOfferList, [toListed(input)], now, adminAct({ caller, now }));
    return input;
  },
});
