import { dayMs, minuteMs, secondMs, type Instant } from "../time.ts";
import type { ApiToken, PresentedToken } from "./account.ts";
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

export interface ConnectorStore {
  /** Keeps a record in place of an older one of the same digest. */
  put(record: OAuthRecord): Promise<void>;
  /** Keeps a token of a grant, which then, like its client, lasts as long as the token does. */
  putToken(record: OAuthRecord, clientDigest: string): Promise<void>;
  /** False when `most` clients that did not expire are kept already. */
  putClient(record: OAuthRecord, most: number): Promise<boolean>;
  /** Null for what is not kept, or has expired. */
  find(kind: string, digest: string, now: Instant): Promise<OAuthRecord | null>;
  /** False when it was consumed before: of two at once one alone succeeds. */
  consume(kind: string, digest: string, now: Instant): Promise<boolean>;
  /** Whether a record of that kind and grant was consumed after that moment. */
  consumedLater(kind: string, grantId: string, after: Instant): Promise<boolean>;
  remove(kind: string, digest: string): Promise<void>;
  /** Moves a record to another kind; false when it is not of that kind any more: of two at once one succeeds. */
  move(kind: string, digest: string, to: string): Promise<boolean>;
  /** Keeps a request with its answer; false when it was answered before. */
  answer(request: OAuthRecord): Promise<boolean>;
  /** Makes the grant, once for a request and within the limit, and ends the one it replaces, all in one step. */
  consent(consent: ConsentRecord): Promise<"given" | "answered" | "limit">;
  /** The active grants of a program, the one that was used last first. */
  grantsOf(accountId: string, clientId: string, now: Instant): Promise<HeldGrant[]>;
  /** Active tokens of an account now. */
  countActive(accountId: string, now: Instant): Promise<number>;
  /** The grant, unless it was revoked or has expired. */
  grant(id: string, now: Instant): Promise<ConnectorGrant | null>;
  /** The grant behind an access token, with the scopes of that token alone; null when it is none. */
  present(digest: string, now: Instant): Promise<PresentedToken | null>;
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
