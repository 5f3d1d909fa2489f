import { action } from "../../contract/endpoint/action.ts";
import { selectCatalogueEntry } from "../../store/offer/offer-catalogue.ts";
import { importOfferList } from "../../services/offer/import-offer-list.ts";
import { adminAct } from "../admin-log-entry.ts";
import { OfferFields, toListed } from "./offer-fields.ts";

/** An existing provider gets the name and address sent here. */
export const createOffer = action({
  id: "offers.create",
  who: "admin",
  input: OfferFields.shape,
  errors: ["invalid_state"],

  async run(input, { db, caller, now, fail }) {
    if (await db.read(selectCatalogueEntry, input.id))
      return fail("invalid_state", `The offer ${input.id} exists already. Open it to change it.`);
    await db.write(importOfferList, [toListed(input)], now, adminAct({ caller, now }));
    return input;
  },
});
