import type { Evidence, Offer, OfferType } from "./offer.ts";

/** Where a page of offers ended: rank of evidence, price (unknown prices after all others), id. */
export interface OfferPosition {
  readonly rank: number;
  readonly price: number;
  readonly id: string;
}

export interface OfferRecord {
  readonly position: OfferPosition;
  readonly offer: Offer;
}

export interface OfferFilter {
  readonly providerId: string | null;
  readonly type: OfferType | null;
  readonly maxPriceEurCents: number | null;
  readonly minRamGb: number | null;
  /** The best evidence of the offer. */
  readonly evidence: Evidence | null;
}

export interface ImportedOffers {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

export type Certified = "certified" | "no_offer" | "no_report" | "private_report";

/** The offer a server runs on. */
export interface ChosenOffer {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
}
