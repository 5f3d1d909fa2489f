import type { ConnectorClient } from "../core/access/connector.ts";
import type { Scope } from "../core/access/scope.ts";
import type { SessionCaller } from "./caller.ts";

/** A program that asks a person for a grant. */
export interface ConsentRequest {
  readonly client: ConnectorClient;
  /** Whether the program's own site says what it is; else it said so itself, and nobody checked. */
  readonly isKnownByHost: boolean;
  /** Where the answer goes: a host, or the scheme of a program on this machine. */
  readonly redirectHost: string;
  /** What the page's form has to be allowed to lead to: an origin or a scheme. */
  readonly formTarget: string;
  /** What it asks for, in the order of the documentation. */
  readonly scopes: readonly Scope[];
  /** Active tokens of the account, which the grant would be one more of. */
  readonly activeTokens: number;
}

/** What the consent page asks of the authorization server. */
export interface Consents {
  /** The cookie that ties a request to the browser that made it. */
  readonly cookie: string;
  /** The request of that id; refuses `not_found` when there is none, it was answered, or another browser made it. */
  find(id: string, cookie: string | null, person: SessionCaller): Promise<ConsentRequest>;
  /** Grants these scopes. Answers where the browser goes on; refuses what was not asked for, and a full plan. */
  allow(id: string, cookie: string | null, person: SessionCaller, scopes: readonly string[]): Promise<string>;
  /** Answers where the browser goes on. */
  deny(id: string, cookie: string | null, person: SessionCaller): Promise<string>;
}
