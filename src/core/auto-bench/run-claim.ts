/** `refuse` throws; call it if no job with this nonce is in flight on the upload's server. */
export interface ScheduledRunClaim {
  readonly nonce: string;
  readonly refuse: () => never;
}
