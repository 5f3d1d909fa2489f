import type { Answered, CallerView, Backend, Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Refusal } from "../../core/errors.ts";
import type { LogLevel, Watched } from "../../core/access/dialogue.ts";
import type { Log } from "../protocol/client-log.ts";
import type { Narrowing } from "../catalogue/narrowing.ts";
import type { ConfirmingPerson } from "../consent/person.ts";
import { RpcError, type rpcCode } from "../protocol/rpc.ts";

/** The context of one request or one stream. The transport makes it once, and it never changes. */
export interface McpRequest extends ClientAbilities {
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly requestId: string;
  /** True if callers without an accepted credential get nothing at all. */
  readonly guarded: boolean;
}

export interface ClientAbilities {
  /** Sends a notification before the answer; null if the client reads none. */
  readonly notify: ((method: string, params: object) => void) | null;
  /** Null if the client cannot ask its person. */
  readonly person: ConfirmingPerson | null;
  /** Null if the client reads no log. */
  readonly log: Log | null;
  /** Settings of an older client for its later requests; null without a session. */
  readonly session: ClientSession | null;
}

export const readsOnly: ClientAbilities = { notify: null, person: null, log: null, session: null };

/** Names every member, because V8 copies spread objects slowly. */
export const withAbilities = (
  { backend, narrowing, requestId, guarded }: Omit<McpRequest, keyof ClientAbilities>,
  { notify, person, log, session }: ClientAbilities,
): McpRequest => ({ backend, narrowing, requestId, guarded, notify, person, log, session });

/** The service refused the credential or grant: over HTTP a status with a challenge, over stdio an error. */
export class CallerRefused extends Error {
  override readonly name = "CallerRefused";
  readonly refused: Refused;

  constructor(refused: Refused) {
    super("The caller was refused");
    this.refused = refused;
  }
}

export interface ClientSession {
  setLogLevel(level: LogLevel): Promise<void>;
  /** False if the session already watches as much as it may. Null if nothing can be watched. */
  readonly watch: ((watched: Watched) => Promise<boolean>) | null;
  readonly unwatch: ((uri: string) => Promise<void>) | null;
}

export type Params = Readonly<Record<string, unknown>>;

export interface McpReply {
  readonly result: { readonly [member: string]: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  /** How long a client may keep the result; sent from revision 2026-07-28 on. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: "public" | "private" };
}

/** Lists depend on the caller. An outdated list does no harm, because every call is checked. */
export const listCache = { ttlMs: 60_000, cacheScope: "private" } as const;

/** Whether the caller's scopes and plan allow the endpoint. */
export function mayCall({ access }: Outline, caller: CallerView): boolean {
  if (access.face !== "api") return false;
  if (caller.anonymous) return access.anonymous === true;
  if (access.scope !== null && !caller.scopes.includes(access.scope)) return false;
  return access.plan === undefined || caller.includes(access.plan);
}

/** Throws `CallerRefused`. */
export async function callerOf(context: McpRequest): Promise<CallerView> {
  const known = await context.backend.caller(context.requestId);
  if (known.ok) return known.caller;
  throw new CallerRefused(known);
}

export const nobody: CallerView = { anonymous: true, tokenId: null, scopes: [], includes: () => false };

/**
 * Over stdio a refused token gets the public entries: without any tools, no call could tell the model what to
 * do about the token. Throws `CallerRefused`.
 */
export async function readerOf(context: McpRequest): Promise<CallerView> {
  const known = await context.backend.caller(context.requestId);
  if (known.ok) return known.caller;
  if (known.status === 401 && !context.guarded) return nobody;
  throw new CallerRefused(known);
}

/** Checks the credential if callers are guarded. Throws `CallerRefused`. */
export async function admitted(context: McpRequest): Promise<void> {
  if (context.guarded) await callerOf(context);
}

/** Throws `RpcError`, or `CallerRefused` for a caller who is not admitted. */
export async function refuseRequest(
  context: McpRequest,
  code: typeof rpcCode.invalidParams,
  message: string,
): Promise<never> {
  await admitted(context);
  throw new RpcError(code, message);
}

/** Throws `CallerRefused` for a refused credential, and for a grant that lacks a scope. */
export async function callBackend(
  context: McpRequest,
  endpoint: Outline,
  input: Record<string, unknown>,
  refusal: Refusal | null = null,
): Promise<Answered | Refused> {
  const begun = performance.now();
  const call = `${endpoint.method} ${endpoint.path}`;
  const request = context.guarded ? { request_id: context.requestId } : {};
  const answer = await context.backend.call(endpoint, input, context.requestId, refusal);
  if (!answer.ok) throwIfCallerRefused(context, answer);
  await context.log?.(answer.ok ? "info" : "warning", {
    call,
    status: answer.status,
    counted: answer.counted,
    milliseconds: Math.round(performance.now() - begun),
    ...(!answer.ok && { error: answer.body.error }),
    ...request,
  });
  return answer;
}

export function throwIfCallerRefused({ guarded }: McpRequest, refused: Refused): void {
  if (guarded && (refused.credential || refused.wants)) throw new CallerRefused(refused);
}
