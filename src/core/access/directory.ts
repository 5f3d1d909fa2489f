import type { TimePosition } from "../position.ts";
import type { Act } from "../service-log/entry.ts";
import type { Account } from "./account.ts";
import type { Role } from "./scope.ts";

/** An account as admins see it. */
export interface DirectoryEntry {
  readonly account: Account;
  readonly servers: number;
  /** Neither revoked nor expired. */
  readonly activeTokens: number;
}

/** `last_admin`: nothing was changed, since nobody would be left to change it back. */
export type RoleChange = "changed" | "last_admin" | "unknown";

/** All accounts of the service, for those who run it. */
export interface AccountDirectory {
  /** Accounts whose address holds the text, without case; the newest first. */
  search(text: string, after: TimePosition | null, limit: number): Promise<Account[]>;
  find(id: string, now: number): Promise<DirectoryEntry | null>;
  /** A suspended account's browsers are signed out; an act that is told is written into the service's log. */
  changeRole(id: string, role: Role, act?: Act): Promise<RoleChange>;
}
