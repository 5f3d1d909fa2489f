import { action } from "../../contract/endpoint/action.ts";
import { selectProviders } from "../../store/offer/offer-catalogue.ts";
import { completeList } from "../../contract/endpoint/page.ts";

export const listProviders = action({
  id: "offers.list_providers",
  who: "admin",
  errors: [],

  async run(_input, { db }) {
    return completeList([...(await db.read(selectProviders))]);
  },
});
