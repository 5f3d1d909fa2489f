import { listOffers } from "../src/endpoints/api/offer/list-offers.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";

export default tool(listOffers, {
  name: "list_offers",
  title: "List hosting offers",
  description:
    "Hosting offers, best evidence first, then cheapest: certified = hoster-approved, measured = run by the service, linked = a customer's report; contested = a lower public score or a dispute. total 0 = not measured.",
  arguments: { ...cursor, provider_id: "As shown in an offer", max_price_eur_cents: "A month" },
  toolset: "catalogue",
  urls: ["/offers{?type,evidence}"],
  rows: 6,
  whenEmpty: "The operator has listed no hosting offers yet.",
});
