import type { Instant } from "../time.ts";
import type { ListedOffer } from "./listed-offer.ts";

/** A server whose owner says that it runs on an offer. */
export interface LinkedTo {
  readonly serverId: string;
  readonly serverName: string | null;
  readonly ownerEmail: string | null;
}

/** An offer as admins see it. */
export interface CatalogueEntry {
  readonly listed: ListedOffer;
  /** The last certificate, whether it is still valid or not. */
  readonly certificate: {
    readonly reportId: string;
    readonly certifiedAt: Instant;
    readonly expiresAt: Instant;
  } | null;
  readonly disputedAt: Instant | null;
  readonly updatedAt: Instant;
  /** By server id, 100 at most. */
  readonly linked: readonly LinkedTo[];
}

export interface ProviderRecord {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly offers: number;
}
