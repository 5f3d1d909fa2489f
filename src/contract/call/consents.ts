import type { ConnectorClient, HeldGrant } from "../../core/access/connector.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { SessionCaller } from "./caller.ts";

/** A program that asks a person for a grant. */
export interface ConsentRequest {
  readonly client: ConnectorClient;
  /** Whether the program's own site says what it is; else it said so itself, and nobody checked. */
  readonly isKnownByHost: boolean;
  /** Where the answer goes: a host, or the scheme of a program on this machine. */
  readonly redirectHost: string;
  /** What the page's form has to be allowed to lead to, an origin or a scheme; null where it leads here alone. */
  readonly formTarget: string | null;
  /** What it asks for, in the order of the documentation. */
  readonly scopes: readonly Scope[];
  /** Active tokens of the account, which the grant would be one more of. */
  readonly activeTokens: number;
  /** Where every place of the plan is in use: the program's own grants, any of which can give up its place. */
  readonly replaceable: readonly HeldGrant[];
  /**
   * What allowing takes, if the account has a second factor and this browser signed in a while ago; else null. Recovery
   * codes are accepted in any case.
   */
  readonly needsFactor: { readonly codes: boolean; readonly passkeys: boolean } | null;
}

/** A request that this person answered in this browser. */
export interface AnsweredRequest {
  readonly client: ConnectorClient;
  readonly isAllowed: boolean;
  /** Where the browser fetches the answer for the program; null once it did. */
  readonly redirectTo: string | null;
  /** Whether fetching it leads away from the page: an address of a program on this machine may leave it standing. */
  readonly isExternal: boolean;
}

export type Consent =
  | { readonly waiting: ConsentRequest; readonly answered: null }
  | { readonly waiting: null; readonly answered: AnsweredRequest };

/** What a person allows. */
export interface Allowed {
  readonly scopes: readonly string[];
  /** The id of the program's grant that gives up its place. */
  readonly replaces: string | null;
  /** A code as the person typed it; empty where none was needed. */
  readonly secondFactor: string;
}

/** What the consent page asks of the authorization server. */
export interface Consents {
  /** The cookie that ties a request to the browser that made it. */
  cookieOf(id: string): string;
  /** The request of that id; refuses `not_found` when there is none, or another browser made or person answered it. */
  find(id: string, cookie: string | null, person: SessionCaller): Promise<Consent>;
  /**
   * Grants these scopes, once. Answers where the browser goes on; refuses what was not asked for, a full plan, and a
   * missing or wrong code where one is needed.
   */
  allow(id: string, cookie: string | null, person: SessionCaller, allowed: Allowed): Promise<string>;
  /** Answers where the browser goes on. */
  deny(id: string, cookie: string | null, person: SessionCaller): Promise<string>;
}
