import type { Answered, CallerView, Backend, Refused } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Refusal } from "../../core/errors.ts";
import type { LogLevel, Watched } from "../../core/access/dialogue.ts";
import type { Log } from "../protocol/client-log.ts";
import type { Narrowing } from "../catalogue/narrowing.ts";
import type { ConfirmingPerson } from "../consent/person.ts";
import { RpcError, type rpcCode } from "../protocol/rpc.ts";

/** The context of one request, or of one stream: made once by the transport, and never changed. */
export interface McpRequest extends ClientAbilities {
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly requestId: string;
  /** True where callers without an accepted credential get nothing at all. */
  readonly guarded: boolean;
}

/** What the client of a request can do besides reading its answer. */
export interface ClientAbilities {
  /** Sends a notification before the answer; null where the client reads none. */
  readonly notify: ((method: string, params: object) => void) | null;
  /** The person at the client; null where the client cannot ask. */
  readonly person: ConfirmingPerson | null;
  /** Null where the client reads no log. */
  readonly log: Log | null;
  /** What a client of an older revision sets up for its later requests; null where it has no session. */
  readonly session: ClientSession | null;
}

/** A client that only reads its answer. */
export const readsOnly: ClientAbilities = { notify: null, person: null, log: null, session: null };

/** A request whose client can do this; every member is named, because V8 fills a copy of spread objects slowly. */
export const withAbilities = (
  { backend, narrowing, requestId, guarded }: Omit<McpRequest, keyof ClientAbilities>,
  { notify, person, log, session }: ClientAbilities,
): McpRequest => ({ backend, narrowing, requestId, guarded, notify, person, log, session });

/**
 * The service refused the caller's credential or grant. Over HTTP the transport answers it with the status and the
 * challenge; over stdio it is an error of the request.
 */
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
  /** False where it watches as much as it may. Null where nothing can be watched. */
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

/** Whether the caller's token could succeed with this endpoint now: scope, role and plan. */
export function mayCall({ access }: Outline, caller: CallerView): boolean {
  if (access.face !== "api") return false;
  if (caller.anonymous) return access.anonymous === true;
  if (access.scope !== null && !caller.scopes.includes(access.scope)) return false;
  return access.plan === undefined || caller.includes(access.plan);
}

/** The caller of a request. Throws `CallerRefused`. */
export async function callerOf(context: McpRequest): Promise<CallerView> {
  const known = await context.backend.caller(context.requestId);
  if (known.ok) return known.caller;
  throw new CallerRefused(known);
}

export const nobody: CallerView = { anonymous: true, tokenId: null, scopes: [], includes: () => false };

/**
 * The caller for whom a list is made. Over stdio a refused token is shown what is public: a client whose list fails
 * has no tools, and only a call can tell a model what to do about the token. Throws `CallerRefused`.
 */
export async function readerOf(context: McpRequest): Promise<CallerView> {
  const known = await context.backend.caller(context.requestId);
  if (known.ok) return known.caller;
  if (known.status === 401 && !context.guarded) return nobody;
  throw new CallerRefused(known);
}

/** Checks the credential where callers without an accepted one get nothing. Throws `CallerRefused`. */
export async function admitted(context: McpRequest): Promise<void> {
  if (context.guarded) await callerOf(context);
}

/** Answers a request that asks for nothing the connector has. */
export async function refuseRequest(
  context: McpRequest,
  code: typeof rpcCode.invalidParams,
  message: string,
): Promise<never> {
  await admitted(context);
  throw new RpcError(code, message);
}

/**
 * Makes the one call of a request. Throws `CallerRefused` where the transport answers: for a refused credential, and
 * for a grant that lacks a scope, which the program can ask its person for.
 */
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

/** Throws `CallerRefused` for a refusal that the transport answers. */
export function throwIfCallerRefused({ guarded }: McpRequest, refused: Refused): void {
  if (guarded && (refused.credential || refused.wants)) throw new CallerRefused(refused);
}
