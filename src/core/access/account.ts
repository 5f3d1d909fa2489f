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

/** A token or a connector's grant; only a digest of its secret is stored. */
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

/** The program behind a connector's grant, as it describes itself; third-party text. */
export interface TokenClient {
  readonly name: string;
  /** Host of the program; null if the program names none. */
  readonly host: string | null;
}

/** `client` is null for a plain token. */
export interface ListedToken extends ApiToken {
  readonly client: TokenClient | null;
}

export interface PresentedToken {
  readonly token: ApiToken;
  readonly account: Account;
  /** Active tokens of the account that were created after this one (ties by id). */
  readonly newerActive: number;
  /** Name of the connector's program; null for a plain token. */
  readonly client: string | null;
  /** When a connector's access token ends, if that is before the grant ends; else null. */
  readonly accessEndsAt: Instant | null;
}
