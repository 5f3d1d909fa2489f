import type { Account, ApiToken } from "../core/access/account.ts";
import type { PlanLimits } from "../core/access/plan.ts";
import type { Scope } from "../core/access/scope.ts";
import type { MonitoredServer } from "../core/server/server.ts";
import type { Viewer } from "../core/viewer.ts";

export interface AnonymousCaller {
  readonly kind: "anonymous";
  /** The part of the client's address that counts as one caller. */
  readonly address: string;
}

export interface TokenCaller {
  readonly kind: "token";
  readonly account: Account;
  readonly token: ApiToken;
  /** What the token may do at this moment. */
  readonly scopes: readonly Scope[];
  readonly limits: PlanLimits;
  /** Whether the plan's number of tokens covers this one. */
  readonly covered: boolean;
}

/** A linked game server, speaking for itself. */
export interface ServerCaller {
  readonly kind: "server";
  readonly server: MonitoredServer;
  readonly limits: PlanLimits;
}

export type Caller = AnonymousCaller | TokenCaller | ServerCaller;

export const viewerOf = (caller: AnonymousCaller | TokenCaller): Viewer =>
  caller.kind === "anonymous"
    ? { accountId: null, admin: false }
    : { accountId: caller.account.id, admin: caller.account.role === "admin" };
