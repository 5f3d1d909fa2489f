import type { Account } from "./account.ts";

/** What a sign-in is checked against. */
export interface StoredPassword {
  readonly account: Account;
  readonly passwordHash: string | null;
  /** A browser is known to the account as long as it was remembered for this one. */
  readonly deviceGeneration: number;
}
