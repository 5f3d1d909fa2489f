import type { Account } from "./account.ts";

export interface DirectoryEntry {
  readonly account: Account;
  readonly servers: number;
  /** Neither revoked nor expired. */
  readonly activeTokens: number;
}

/** `last_admin`: refused, because no admin would be left. */
export type RoleChange = "changed" | "last_admin" | "unknown";
