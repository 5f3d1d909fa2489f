import type { Account } from "./account.ts";

export interface StoredPassword {
  readonly account: Account;
  readonly passwordHash: string | null;
  /** A browser that was remembered for another generation is not known. */
  readonly deviceGeneration: number;
}
