export interface FetchedDocument {
  readonly status: number;
  readonly cacheControl: string | null;
  readonly text: string;
}

/**
 * Fetches a short document over https from an address that a third party named: public addresses only, no
 * redirects. Rejects when the answer is late or too long.
 */
export type FetchDocument = (url: URL) => Promise<FetchedDocument>;
