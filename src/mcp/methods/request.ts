import type { Answered, Asker, Backend, Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Refusal } from "../../core/errors.ts";
import type { LogLevel, Watched } from "../../core/access/dialogue.ts";
import type { Log } from "../protocol/client-log.ts";
import type { Narrowing } from "../catalogue/narrowing.ts";
import type { Person } from "../consent/person.ts";
import { rpcCode, RpcError } from "../protocol/rpc.ts";

/** One request, or one connection where a connection has one caller. Nothing of it is shared with another. */
export interface Exchange {
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly requestId: string;
  /** True where callers without an accepted credential get nothing at all. */
  readonly guarded: boolean;
  /** Sends word of an answer that is under way; null where nobody follows. */
  notify: ((method: string, params: object) => void) | null;
  /** The person at the client; null where the client cannot ask. */
  person: Person | null;
  /** Null where the client reads no log. */
  log: Log | null;
  /** What a client of an older revision sets up for its later requests; null where it has no session. */
  session: ClientSession | null;
  /** The refusal the transport answers in place of everything else. */
  refused: Refused | null;
}

export interface ClientSession {
  setLogLevel(level: LogLevel): Promise<void>;
  /** False where it watches as much as it may. Null where nothing can be watched. */
  readonly watch: ((watched: Watched) => Promise<boolean>) | null;
  readonly unwatch: ((uri: string) => Promise<void>) | null;
}

export type Params = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly result: { readonly [member: string]: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  /** How long a client may keep it; told from revision 2026-07-28 on. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: "public" | "private" };
}

/** Lists depend on the caller. One that is out of date does no harm: every call is checked anew. */
export const listCache = { ttlMs: 60_000, cacheScope: "private" } as const;

/** Whether the caller's token could succeed with this endpoint now: scope, role and plan. */
export function mayCall({ access }: Outline, asker: Asker): boolean {
  if (access.face !== "api") return false;
  if (asker.anonymous) return access.anonymous === true;
  if (access.scope !== null && !asker.scopes.includes(access.scope)) return false;
  return access.plan === undefined || asker.includes(access.plan);
}

/** Who asks; where the credential is refused, that is the answer. */
export async function askerOf(exchange: Exchange): Promise<Asker> {
  const known = await exchange.backend.asker(exchange.requestId);
  if (known.ok) return known.asker;
  return refusedBy(exchange, known);
}

export const nobody: Asker = { anonymous: true, tokenId: null, scopes: [], includes: () => false };

/**
 * Whom a list is for. Where no transport answers for a refused token, its bearer is shown what is public: a client
 * whose list fails has no tools, and only a call can tell a model what to do about the token.
 */
export async function readerOf(exchange: Exchange): Promise<Asker> {
  const known = await exchange.backend.asker(exchange.requestId);
  if (known.ok) return known.asker;
  return known.status === 401 && !exchange.guarded ? nobody : refusedBy(exchange, known);
}

/** Where callers are guarded, nothing is answered before the credential was accepted. */
export async function admitted(exchange: Exchange): Promise<void> {
  if (exchange.guarded) await askerOf(exchange);
}

/** Answers a request that asks for nothing the connector has. */
export async function refuse(
  exchange: Exchange,
  code: typeof rpcCode.invalidParams,
  message: string,
): Promise<never> {
  await admitted(exchange);
  throw new RpcError(code, message);
}

/**
 * The one call of an exchange. A refused credential is the transport's to answer where it guards, and so is a
 * grant that lacks a scope: the program can ask its person for it.
 */
export async function ask(
  exchange: Exchange,
  endpoint: Outline,
  input: Record<string, unknown>,
  refusal: Refusal | null = null,
): Promise<Answered | Refused> {
  const begun = performance.now();
  const call = `${endpoint.method} ${endpoint.path}`;
  const request = exchange.guarded ? { request_id: exchange.requestId } : {};
  const answer = await exchange.backend.call(endpoint, input, exchange.requestId, refusal);
  if (!answer.ok) passOn(exchange, answer);
  await exchange.log?.(answer.ok ? "info" : "warning", {
    call,
    status: answer.status,
    counted: answer.counted,
    milliseconds: Math.round(performance.now() - begun),
    ...(!answer.ok && { error: answer.body.error }),
    ...request,
  });
  return answer;
}

/** Leaves to the transport what it answers where it guards. */
export function passOn(exchange: Exchange, refused: Refused): void {
  if (exchange.guarded && (refused.credential || refused.wants)) refusedBy(exchange, refused);
}

function refusedBy(exchange: Exchange, refused: Refused): never {
  exchange.refused = refused;
  throw new RpcError(rpcCode.internalError, "The caller was refused", refused.body);
}
