import type { Account, ApiToken } from "../../core/access/account.ts";
import type { Session } from "../../core/access/session.ts";
import type { PlanLimits } from "../../core/access/plan.ts";
import type { RunnerRecord } from "../../core/auto-bench/records.ts";
import type { ActingToken } from "../../core/event/own-event.ts";
import type { Scope } from "../../core/access/scope.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import type { Viewer } from "../../core/viewer.ts";

export interface AnonymousCaller {
  readonly kind: "anonymous";
  /** The part of the client's address that counts as one caller. */
  readonly address: string;
}

export interface TokenCaller {
  readonly kind: "token";
  readonly account: Account;
  readonly token: ApiToken;
  /** The name of the program that holds a connector's grant; null for a plain token. */
  readonly client: string | null;
  /** The token's scopes, as far as the account's role allows them. */
  readonly scopes: readonly Scope[];
  readonly limits: PlanLimits;
  /** Whether the plan's number of tokens covers this one. */
  readonly covered: boolean;
}

/** A person in a browser: needs no scope, and no rate window counts the calls. */
export interface SessionCaller {
  readonly kind: "session";
  readonly address: string;
  readonly account: Account;
  readonly session: Session;
  readonly limits: PlanLimits;
}

export type AccountCaller = TokenCaller | SessionCaller;

export interface ServerCaller {
  readonly kind: "server";
  readonly server: MonitoredServer;
  readonly limits: PlanLimits;
}

/** A machine that runs scheduled benchmarks for the operator. */
export interface RunnerCaller {
  readonly kind: "runner";
  readonly runner: RunnerRecord;
}

export type Caller = AnonymousCaller | AccountCaller | ServerCaller | RunnerCaller;

/** For routes about one's own servers: an admin sees no more than others. */
export const ownEyes = ({ account }: AccountCaller): Viewer => ({ accountId: account.id, admin: false });

/** The token as timelines and notices name it; null for a person. */
export const actingToken = (caller: AccountCaller): ActingToken | null =>
  caller.kind === "token" ? { name: caller.token.name, client: caller.client } : null;

export const viewerOf = (caller: AnonymousCaller | AccountCaller): Viewer =>
  caller.kind === "anonymous"
    ? { accountId: null, admin: false }
    : { accountId: caller.account.id, admin: caller.account.role === "admin" };
