import { selectCatalogueEntry } from "../../../store/offer/offer-catalogue.ts";
import { importOfferList } from "../../../services/offer/import-offer-list.ts";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleFields, OfferFields, toListed } from "./offer-fields.ts";

export const createOffer = defineEndpoint({
  id: "offers.create",
  method: "POST",
  path: "/admin/offers",
  params: {},
  access: { face: "web", who: "admin" },
  summary:
    "Add an offer to the catalogue; a provider that exists already gets the name and address sent here.",
  input: OfferFields,
  output: OfferFields,
  success: [201],
  errors: ["invalid_state"],
  example: { input: exampleFields, output: exampleFields },

  async handle(input, { db, caller, now, fail }) {
    if (await db.read(selectCatalogueEntry, input.id))
      return fail("invalid_state", `The offer ${input.id} exists already. Open it to change it.`);
    await db.write(importOfferList, [toListed(input)], now, adminAct({ caller, now }));
    return created(input);
  },
});
