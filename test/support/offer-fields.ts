import type { OfferFields } from "../../src/actions/offer/offer-fields.ts";

/** An offer as admins type it. */
export const offerFields: OfferFields = {
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
