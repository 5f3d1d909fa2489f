import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { importOfferList } from "../../services/offer/import-offer-list.ts";
import { adminAct } from "../admin-log-entry.ts";
import { OfferFields, toListed } from "./offer-fields.ts";

/** The provider's name and address change for all its offers. */
export const updateOffer = action({
  id: "offers.update",
  who: "admin",
  input: OfferFields.shape,
  errors: ["not_found"],

  async run(input, { db, caller, now, found }) {
    found(await db.read(selectCatalogueEntry, input.id));
    await db.write(importOfferList, [toListed(input)], now, adminAct({ caller, now }));
    return input;
  },
});
