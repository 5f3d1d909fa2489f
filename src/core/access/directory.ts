import type { Account } from "./account.ts";

/** An account as admins see it. */
export interface DirectoryEntry {
  readonly account: Account;
  readonly servers: number;
  /** Neither revoked nor expired. */
  readonly activeTokens: number;
}

/** `last_admin`: nothing was changed, since nobody would be left to change it back. */
export type RoleChange = "changed" | "last_admin" | "unknown";
