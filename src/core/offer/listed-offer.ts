import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { OfferType } from "./offer.ts";

/** Offers and providers keep the ids of the operator's own catalogue. */
export const CatalogueId = accepting(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/),
  "1 to 64 letters, digits, _ . : or -, the first a letter or digit",
);

const text = (max: number) => thirdPartyText(max).nullable().default(null);
const name = accepting(
  thirdPartyText(120).refine((value) => value.trim() !== ""),
  "text of 1 to 120 characters, not only white space",
);
const link = accepting(
  thirdPartyText(500).regex(/^https?:\/\/[^\s/]/),
  "an address that begins with https:// or http://",
)
  .nullable()
  .default(null);

/** One line of an import file; `ram_gb` is in GiB. Strict, so that a misspelt field is reported. */
export const ListedOffer = z.strictObject({
  id: CatalogueId,
  provider: z.strictObject({ id: CatalogueId, name, url: link }),
  name,
  type: OfferType,
  cpu_name: text(120),
  cpu_cores: z.int().min(1).max(4096).nullable().default(null),
  ram_gb: z.number().min(0.1).max(65_536).nullable().default(null),
  disk_type: text(32),
  disk_gb: z.number().min(0).max(1e9).nullable().default(null),
  location: text(120),
  price_eur_cents: z.int().min(0).max(1e9).nullable().default(null),
  billing_period: z.literal("month").default("month"),
  url: link,
});
export type ListedOffer = z.output<typeof ListedOffer>;
