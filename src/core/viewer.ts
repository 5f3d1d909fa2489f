/** Who looks: what a query needs to know to return only what that account may see. */
export interface Viewer {
  /** Null for a caller without a token. */
  readonly accountId: string | null;
  readonly admin: boolean;
}
