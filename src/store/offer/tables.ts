import { OfferType } from "../../core/offer/offer.ts";
import { instant, integer, oneOf, real, table, text, type RowOf } from "../engine/table.ts";

export const providerTable = table("provider", { id: text, name: text, url: text.nullable });

export const offerTable = table("offer", {
  id: text,
  provider_id: text.aside,
  name: text,
  type: oneOf(OfferType),
  cpu_name: text.nullable.as("cpu_name"),
  cpu_cores: integer.nullable.as("cpu_cores"),
  ram_gb: real.nullable.as("ram_gb"),
  disk_type: text.nullable.as("disk_type"),
  disk_gb: real.nullable.as("disk_gb"),
  location: text.nullable,
  price_eur_cents: integer.nullable.as("price_eur_cents"),
  url: text.nullable,
  certified_report_id: text.nullable.aside,
  certified_at: instant.nullable.aside,
  certificate_expires_at: instant.nullable.aside,
  disputed_at: instant.nullable.aside,
  updated_at: instant.aside,
});

export interface OfferTables {
  provider: RowOf<typeof providerTable>;
  offer: RowOf<typeof offerTable>;
}
