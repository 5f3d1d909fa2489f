import { selectOffers } from "../../../store/offer/offers.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { CatalogueId } from "../../../core/offer/listed-offer.ts";
import { Evidence, Offer, OfferType } from "../../../core/offer/offer.ts";
import type { OfferPosition } from "../../../core/offer/records.ts";
import type { Position } from "../../../core/position.ts";
import { exampleOffer } from "./example-offer.ts";

const decimal = z.number().min(0).max(1e9);

export const listOffers = defineEndpoint({
  id: "offers.list",
  method: "GET",
  path: "/offers",
  params: {},
  access: { face: "api", scope: "offers:read", anonymous: true },
  summary: "Hosting offers: best evidence first, then by price, offers of unknown price last.",
  input: z.strictObject({
    ...pageInput,
    provider_id: CatalogueId.optional(),
    type: OfferType.optional(),
    max_price_eur_cents: z.int().min(0).max(1e9).optional(),
    min_ram_gb: decimal.optional(),
    evidence: Evidence.optional(),
  }),
  output: pageOf(Offer),
  errors: [],
  example: {
    input: { type: "game", max_price_eur_cents: 2500, limit: 10 },
    output: { data: [exampleOffer], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, ...input }, { db, now, after, page }) {
    const filter = {
      providerId: input.provider_id ?? null,
      type: input.type ?? null,
      maxPriceEurCents: input.max_price_eur_cents ?? null,
      minRamGb: input.min_ram_gb ?? null,
      evidence: input.evidence ?? null,
    };
    const rows = await db.read(selectOffers, filter, offerPosition(after), limit + 1, now);
    return page(
      rows,
      limit,
      ({ position: { rank, price, id } }) => [rank, price, id],
      ({ offer }) => offer,
    );
  },
});

function offerPosition(position: Position | null): OfferPosition | null {
  if (position === null) return null;
  const [rank, price, id] = position;
  if (typeof rank !== "number" || typeof price !== "number" || typeof id !== "string")
    throw new Error("A position of another kind of list.");
  return { rank, price, id };
}
