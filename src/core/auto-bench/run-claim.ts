/** An upload that says of which scheduled run it is; `refuse` throws where none of that nonce is in flight on its server. */
export interface ScheduledRunClaim {
  readonly nonce: string;
  readonly refuse: () => never;
}
