import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { importOfferList } from "../../services/offer/import-offer-list.ts";
import { adminAct } from "../admin-log-entry.ts";
import { OfferFields, toListed } from "./offer-fields.ts";

/** Change an offer; its provider's name and address change for all offers of that provider. */
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
