/** A document as it was found under an address that somebody else named. */
export interface FetchedDocument {
  readonly status: number;
  readonly cacheControl: string | null;
  readonly text: string;
}

/**
 * Fetches a short document over https: from public addresses alone, without following redirects. Rejects when
 * there is no answer in time, or one that is too long.
 */
export type FetchDocument = (url: URL) => Promise<FetchedDocument>;
