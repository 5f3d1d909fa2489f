import { z } from "zod";
import { ListedOffer } from "../../core/offer/listed-offer.ts";

const { provider, billing_period: _always, ...facts } = ListedOffer.shape;

/** The same flat fields as a line of the operator's file. */
export const OfferFields = z.strictObject({
  ...facts,
  provider_id: provider.shape.id,
  provider_name: provider.shape.name,
  provider_url: provider.shape.url,
});
export type OfferFields = z.output<typeof OfferFields>;

export const toListed = ({
  provider_id,
  provider_name,
  provider_url,
  ...facts
}: OfferFields): ListedOffer => ({
  ...facts,
  provider: { id: provider_id, name: provider_name, url: provider_url },
  billing_period: "month",
});

export const toFields = ({ provider, billing_period: _always, ...facts }: ListedOffer): OfferFields => ({
  ...facts,
  provider_id: provider.id,
  provider_name: provider.name,
  provider_url: provider.url,
});
