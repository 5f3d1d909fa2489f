import { dayMs, minuteMs, secondMs, type Instant } from "../time.ts";
import type { ApiToken } from "./account.ts";
import type { Scope } from "./scope.ts";

export interface ConnectorClient {
  readonly id: string;
  readonly name: string;
  /** Host of the client's metadata document, else of its redirect URI. */
  readonly host: string;
}

export interface ConnectorGrant {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** An artifact of the authorization server, stored under its digest only. */
export interface OAuthRecord {
  readonly kind: string;
  readonly digest: string;
  /** Null before there is a grant. */
  readonly grantId: string | null;
  readonly payload: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly consumedAt: Instant | null;
}

export interface ConsentRecord {
  readonly token: ApiToken;
  readonly client: ConnectorClient;
  /** Digest of a random secret that is thrown away: the column needs a value. */
  readonly digest: string;
  /** Active tokens that the plan allows. */
  readonly limit: number;
  readonly request: OAuthRecord;
  /** Id of an active grant of the same account and program that is revoked; null if none. */
  readonly replaces: string | null;
  /** Id of such a grant that gets these scopes in place of a new grant; null for a new one. */
  readonly widens: string | null;
}

export interface HeldGrant {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** Lifetimes, ms. */
export const connectorLifetimesMs = {
  /** From the authorization request to the consent; the person may have to sign in or sign up first. */
  request: 60 * minuteMs,
  code: 60 * secondMs,
  /** A grant whose code is not redeemed yet. */
  unredeemed: 2 * minuteMs,
  accessToken: 60 * minuteMs,
  /** From its issue; rotated at each use. */
  refreshToken: 90 * dayMs,
  /** A rotated refresh token still works this long: the client may have lost the answer. */
  refreshGrace: 10 * secondMs,
  /** A registered client without a consent. */
  unusedClient: dayMs,
} as const;
