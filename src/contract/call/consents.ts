import type { ConnectorClient, HeldGrant } from "../../core/access/connector.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { SessionCaller } from "./caller.ts";

export interface ConsentRequest {
  readonly client: ConnectorClient;
  /** Whether the program's own site confirms its name; otherwise nobody checked it. */
  readonly isKnownByHost: boolean;
  /** The host that gets the answer, or the scheme of a program on this machine. */
  readonly redirectHost: string;
  /** The origin or scheme that the page's form must be allowed to lead to; null where this site is enough. */
  readonly formTarget: string | null;
  /** What the program asks for. */
  readonly scopes: readonly Scope[];
  /** What the account could grant. */
  readonly grantable: readonly Scope[];
  /** The program's own grants that lack some of what it asks for: one of them can be widened. */
  readonly widenable: readonly HeldGrant[];
  /** The account's active tokens; the grant would be one more. */
  readonly activeTokens: number;
  /** If the plan has no place left: the program's own grants, one of which the new grant can replace. */
  readonly replaceable: readonly HeldGrant[];
  /**
   * The second factor that allowing asks for; null if the account has none, or this browser signed in just
   * now. Recovery codes are always accepted.
   */
  readonly needsFactor: { readonly codes: boolean; readonly passkeys: boolean } | null;
}

export interface AnsweredRequest {
  readonly client: ConnectorClient;
  readonly isAllowed: boolean;
  /** Where the browser fetches the answer for the program; null after it did. */
  readonly redirectTo: string | null;
  /** Whether the redirect leaves the page; with the scheme of a local program the browser may stay on it. */
  readonly isExternal: boolean;
}

export type Consent =
  | { readonly waiting: ConsentRequest; readonly answered: null }
  | { readonly waiting: null; readonly answered: AnsweredRequest };

export interface Allowed {
  readonly scopes: readonly string[];
  /** The id of the program's grant that the new one replaces. */
  readonly replaces: string | null;
  /** The id of the program's grant that gets these scopes, in place of a new grant. */
  readonly widens: string | null;
  readonly secondFactor: string;
}

export interface Consents {
  /** The cookie that ties a request to the browser that made it. */
  cookieOf(id: string): string;
  /** Refuses `not_found` when the request does not exist, or belongs to another browser or person. */
  find(id: string, cookie: string | null, person: SessionCaller): Promise<Consent>;
  /**
   * Grants these scopes, once, and returns where the browser goes next. Refuses scopes that the account does
   * not have, a full plan, and a missing or wrong code.
   */
  allow(id: string, cookie: string | null, person: SessionCaller, allowed: Allowed): Promise<string>;
  /** Returns where the browser goes next. */
  deny(id: string, cookie: string | null, person: SessionCaller): Promise<string>;
}
