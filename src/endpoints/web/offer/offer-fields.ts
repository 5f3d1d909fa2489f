import { z } from "zod";
import { ListedOffer } from "../../../core/offer/listed-offer.ts";

const { provider, billing_period: _always, ...facts } = ListedOffer.shape;

/** An offer of the catalogue as one flat input: what a line of the operator's file holds. */
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

export const exampleFields: OfferFields = {
  id: "iron-8",
  provider_id: "foundry",
  provider_name: "Foundry Hosting",
  provider_url: "https://foundry.example",
  name: "Iron 8",
  type: "game",
  cpu_name: "Ryzen 7 7700",
  cpu_cores: 4,
  ram_gb: 8,
  disk_type: "nvme",
  disk_gb: 120,
  location: "Falkenstein",
  price_eur_cents: 1490,
  url: null,
};
