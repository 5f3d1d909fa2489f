import type { Act } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";
import type { ListedOffer } from "./listed-offer.ts";

/** A server whose owner says that it runs on an offer. */
export interface LinkedTo {
  readonly serverId: string;
  readonly serverName: string | null;
  readonly ownerEmail: string | null;
}

/** An offer as those who run the catalogue see it. */
export interface CatalogueEntry {
  readonly listed: ListedOffer;
  /** The report it was certified by last, whether that still holds or not. */
  readonly certificate: {
    readonly reportId: string;
    readonly certifiedAt: Instant;
    readonly expiresAt: Instant;
  } | null;
  readonly disputedAt: Instant | null;
  readonly updatedAt: Instant;
  /** By the id of the server, the first hundred. */
  readonly linked: readonly LinkedTo[];
}

export interface ProviderRecord {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly offers: number;
}

/**
 * The catalogue of hosting offers, for those who run it. An act that is told is written into the service's log, with
 * the change or not at all.
 */
export interface OfferCatalogue {
  entry(offerId: string): Promise<CatalogueEntry | null>;
  providers(): Promise<ProviderRecord[]>;
  /**
   * Takes an offer out of the catalogue: servers and measurements are on none from then on, and what was certified
   * for it is unlocked. False when there is no such offer.
   */
  withdraw(offerId: string, now: Instant, act?: Act): Promise<boolean>;
  /** Ends the certificate now, and unlocks its report; false when none holds. */
  endCertificate(offerId: string, now: Instant, act?: Act): Promise<boolean>;
  /** Takes back what a server's owner chose; false when the server is not on that offer. */
  unlinkServer(offerId: string, serverId: string, act?: Act): Promise<boolean>;
  /** False where there is no such provider, or it still has offers. */
  removeProvider(providerId: string, act?: Act): Promise<boolean>;
}
