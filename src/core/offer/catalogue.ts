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
