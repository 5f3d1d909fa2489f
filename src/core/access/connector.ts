import { dayMs, minuteMs, secondMs, type Instant } from "../time.ts";
import type { ApiToken } from "./account.ts";
import type { Scope } from "./scope.ts";

/** A program that asks for a grant: what a person is shown of it, and what the grant remembers. */
export interface ConnectorClient {
  readonly id: string;
  readonly name: string;
  /** Where it comes from, as far as that is known: the host of its metadata, else of its redirect. */
  readonly host: string;
}

/** What a person granted to a program: one of the account's tokens. */
export interface ConnectorGrant {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** One thing that the authorization server handed out, known by its digest alone. */
export interface OAuthRecord {
  readonly kind: string;
  readonly digest: string;
  /** The grant it belongs to; null for what comes before one. */
  readonly grantId: string | null;
  readonly payload: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly consumedAt: Instant | null;
}

/** A consent: the grant it makes, and the request that it answers. */
export interface ConsentRecord {
  readonly token: ApiToken;
  readonly client: ConnectorClient;
  /** Fills the place of a secret's digest; nobody knows a secret with it. */
  readonly digest: string;
  /** How many active tokens the plan allows. */
  readonly limit: number;
  readonly request: OAuthRecord;
  /** The id of an active grant of the same account and program that this one takes the place of. */
  readonly replaces: string | null;
}

/** A grant as a person tells it from others of the same program. */
export interface HeldGrant {
  readonly id: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** How long what the authorization server hands out can be used, ms. */
export const connectorMs = {
  /** From the first question to the consent; signing in, or up, may come between. */
  request: 60 * minuteMs,
  code: 60 * secondMs,
  /** A grant whose code nobody has redeemed yet. */
  unredeemed: 2 * minuteMs,
  accessToken: 60 * minuteMs,
  /** From its issue, and a new one comes with every use. */
  refreshToken: 90 * dayMs,
  /** The predecessor of a refresh token still works so long: an answer may have been lost. */
  refreshGrace: 10 * secondMs,
  /** A registered program that nobody has consented to. */
  unusedClient: dayMs,
} as const;
