import { OfferType, type Offer } from "../../core/offer/offer.ts";

interface OfferRow extends Omit<OfferFacts, "provider" | "type"> {
  readonly type: string;
  readonly provider_id: string;
  readonly provider_name: string;
  readonly provider_url: string | null;
}

type OfferFacts = Pick<
  Offer,
  | "id"
  | "provider"
  | "name"
  | "type"
  | "cpu_name"
  | "cpu_cores"
  | "ram_gb"
  | "disk_type"
  | "disk_gb"
  | "location"
  | "price_eur_cents"
  | "url"
>;

export const factsOf = (row: OfferRow): OfferFacts => ({
  id: row.id,
  provider: { id: row.provider_id, name: row.provider_name, url: row.provider_url },
  name: row.name,
  type: OfferType.parse(row.type),
  cpu_name: row.cpu_name,
  cpu_cores: row.cpu_cores,
  ram_gb: row.ram_gb,
  disk_type: row.disk_type,
  disk_gb: row.disk_gb,
  location: row.location,
  price_eur_cents: row.price_eur_cents,
  url: row.url,
});
