import type { Instant } from "../time.ts";
import type { PlanName } from "./plan.ts";
import type { Role, Scope } from "./scope.ts";

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly plan: PlanName;
  readonly role: Role;
  readonly createdAt: Instant;
}

/** A credential of a person's agent or program; a connector's grant is one too. The secret itself is never kept. */
export interface ApiToken {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: "token" | "connector";
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

/** A token as a call presents it: with its owner as of this moment, and how many active tokens are newer. */
export interface PresentedToken {
  readonly token: ApiToken;
  readonly account: Account;
  /** Tokens of the account neither revoked nor expired and created after this one (ties by id). */
  readonly newerActive: number;
  /** The name of the program it was granted to; null for a plain token. */
  readonly client: string | null;
  /** When what was presented ends, where that is before the token does: a connector's access token. */
  readonly accessEndsAt: Instant | null;
}
