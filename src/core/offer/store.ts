import type { Act } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";
import type { ListedOffer } from "./listed-offer.ts";
import type { Evidence, Offer, OfferType } from "./offer.ts";

/** Where a page of offers ended: rank of evidence, price (unknown ones behind all others), id. */
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
  /** The offer's best. */
  readonly evidence: Evidence | null;
}

/** How many of the offers that were told. */
export interface ImportedOffers {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Why a report could not be certified for an offer. */
export type Certified = "certified" | "no_offer" | "no_report" | "private_report";

/** The offer a server runs on. */
export interface ChosenOffer {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
}

/** An act that is told is written into the service's log, with the change or not at all. */
export interface OfferStore {
  /** Best evidence first, then by price, unknown prices last, then by id. */
  list(filter: OfferFilter, after: OfferPosition | null, limit: number, now: Instant): Promise<OfferRecord[]>;
  /** Adds offers and changes those of the same id, all or none; providers are kept by their own ids. */
  import(offers: readonly ListedOffer[], now: Instant, act?: Act): Promise<ImportedOffers>;
  /** The offer a server runs on, as its owner says; null when none was chosen, or it left the catalogue. */
  chosen(serverId: string): Promise<ChosenOffer | null>;
  /** Says which offer a server runs on; false when there is no such offer. */
  choose(serverId: string, offerId: string | null): Promise<boolean>;
  /**
   * Certifies a public or unlisted report for an offer, for a year: the report is locked and does not expire. What
   * was certified for the offer before is unlocked.
   */
  certify(offerId: string, reportId: string, now: Instant, act?: Act): Promise<Certified>;
  /** Opens a dispute about an offer, or ends it. */
  setDispute(offerId: string, openedAt: Instant | null, act?: Act): Promise<void>;
}
