export interface Viewer {
  /** Null for a caller without a token. */
  readonly accountId: string | null;
  readonly admin: boolean;
}
