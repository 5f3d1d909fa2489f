import { action } from "../../contract/endpoint/action.ts";
import { selectProviders } from "../../store/offer/offer-catalogue.ts";
import { completeList } from "../../contract/endpoint/page.ts";

/** The providers of the catalogue, by id, each with the number of its offers. */
export const listProviders = action({
  id: "offers.list_providers",
  who: "admin",
  errors: [],

  async run(_input, { db }) {
    return completeList([...(await db.read(selectProviders))]);
  },
});
