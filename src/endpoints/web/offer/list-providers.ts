import { selectProviders } from "../../../store/offer/offer-catalogue.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { CatalogueId } from "../../../core/offer/listed-offer.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";

const Provider = z.object({
  id: CatalogueId,
  name: thirdPartyText(120),
  url: thirdPartyText(500).nullable(),
  offers: z.int(),
});

export const listProviders = defineEndpoint({
  id: "offers.list_providers",
  method: "GET",
  path: "/admin/providers",
  params: {},
  access: { face: "web", who: "admin" },
  summary: "The providers of the catalogue, by id, each with the number of its offers.",
  input: z.strictObject({}),
  output: pageOf(Provider),
  errors: [],
  example: {
    input: {},
    output: {
      data: [{ id: "foundry", name: "Foundry Hosting", url: "https://foundry.example", offers: 4 }],
      page: { cursor: null, has_more: false },
    },
  },

  async handle(_input, { db }) {
    return completeList([...(await db.read(selectProviders))]);
  },
});
