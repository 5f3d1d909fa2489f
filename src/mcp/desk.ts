import type { Answered, Asker, Backend, Refused } from "../contract/backend.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { isJsonObject } from "../contract/json-body.ts";
import type { Guide } from "./guides.ts";
import { isOffered, type Narrowing } from "./narrowing.ts";
import type { Resource } from "./resource.ts";
import { quotaKey, quotaOf } from "./quota.ts";
import { errorOf, inputOf, shown, toolResult } from "./result.ts";
import { rpcCode, RpcError } from "./rpc.ts";
import type { Tool } from "./tool.ts";
import type { Wording } from "./wording.ts";

/** All the connector offers, in fixed order. */
export interface Catalogue {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly guides: readonly Guide[];
  readonly wording: Wording;
}

/** One request, or one connection where a connection has one caller. Nothing of it is shared with another. */
export interface Exchange {
  readonly backend: Backend;
  readonly narrowing: Narrowing;
  readonly requestId: string;
  /** True where callers without an accepted credential get nothing at all. */
  readonly guarded: boolean;
  /** The refusal the transport answers in place of everything else. */
  refused: Refused | null;
}

type Params = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly result: Record<string, unknown>;
  /** How long a client may keep it; told from revision 2026-07-28 on. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: "public" | "private" };
}
export type Desk = (method: string, params: unknown, exchange: Exchange) => Promise<Reply>;

/** Lists depend on the caller. One that is out of date does no harm: every call is checked anew. */
const listCache = { ttlMs: 60_000, cacheScope: "private" } as const;
const guideCache = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Methods that ask who the caller is, or make the one call that does, before they answer. */
export const servedMethods: ReadonlySet<string> = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** Answers the requests of both protocol revisions; throws nothing but `RpcError`. */
export function desk(catalogue: Catalogue, reportDefect: (error: unknown, requestId: string) => void): Desk {
  const methods = new Map<string, (params: Params, exchange: Exchange) => Promise<Reply>>([
    ["tools/list", (_params, exchange) => listTools(catalogue, exchange)],
    ["tools/call", (params, exchange) => callTool(catalogue, params, exchange)],
    ["resources/list", (_params, exchange) => listResources(catalogue, exchange)],
    ["resources/templates/list", (_params, exchange) => listTemplates(catalogue, exchange)],
    ["resources/read", (params, exchange) => readResource(catalogue, params, exchange)],
  ]);
  return async (method, params, exchange) => {
    try {
      const answer = methods.get(method);
      if (answer) return await answer(isJsonObject(params) ? params : {}, exchange);
      throw new RpcError(rpcCode.methodNotFound, "Method not found");
    } catch (error) {
      if (error instanceof RpcError) throw error;
      reportDefect(error, exchange.requestId);
      throw new RpcError(rpcCode.internalError, "Internal error", { request_id: exchange.requestId });
    }
  };
}

async function listTools({ tools }: Catalogue, exchange: Exchange): Promise<Reply> {
  const asker = await askerOf(exchange);
  const listed = tools.filter(
    (tool) => isOffered(tool, exchange.narrowing) && mayCall(tool.view.endpoint, asker),
  );
  return { result: { tools: listed.map(({ definition }) => definition) }, cache: listCache };
}

async function callTool(
  { tools, wording }: Catalogue,
  { name, arguments: sent = {} }: Params,
  exchange: Exchange,
): Promise<Reply> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (!tool || !isOffered(tool, exchange.narrowing))
    return refuse(exchange, rpcCode.invalidParams, "Unknown tool");
  if (!isJsonObject(sent))
    return refuse(exchange, rpcCode.invalidParams, "The arguments of a tool are an object");
  const { view } = tool;
  const answer = await ask(exchange, view.endpoint, inputOf(view, sent));
  return { result: { ...toolResult(view, sent, answer, wording) } };
}

async function listResources({ resources, guides }: Catalogue, exchange: Exchange): Promise<Reply> {
  const asker = await askerOf(exchange);
  const own = resources.filter(({ isTemplate, view }) => !isTemplate && mayCall(view.endpoint, asker));
  return { result: { resources: [...own, ...guides].map(({ definition }) => definition) }, cache: listCache };
}

async function listTemplates({ resources }: Catalogue, exchange: Exchange): Promise<Reply> {
  const asker = await askerOf(exchange);
  const own = resources.filter(({ isTemplate, view }) => isTemplate && mayCall(view.endpoint, asker));
  return { result: { resourceTemplates: own.map(({ definition }) => definition) }, cache: listCache };
}

const noResource = {
  error: "not_found",
  message: "No resource has this URI. resources/list and resources/templates/list show what can be read.",
};

async function readResource(
  { resources, guides, wording }: Catalogue,
  { uri }: Params,
  exchange: Exchange,
): Promise<Reply> {
  if (typeof uri !== "string")
    return refuse(exchange, rpcCode.invalidParams, "A resource is read by its URI");
  const guide = guides.find(({ definition }) => definition.uri === uri);
  if (guide) {
    await admitted(exchange);
    return {
      result: { contents: [{ uri, mimeType: guide.definition.mimeType, text: guide.text }] },
      cache: guideCache,
    };
  }
  for (const { match, view, ttlMs } of resources) {
    const input = match(uri);
    if (!input) continue;
    const answer = await ask(exchange, view.endpoint, inputOf(view, input));
    if (!answer.ok) throw readError(errorOf(view, answer, wording));
    const text = shown(view, input, answer, wording);
    const _meta = { [quotaKey]: quotaOf(view.endpoint, answer) };
    return {
      result: { contents: [{ uri, mimeType: "application/json", text }], _meta },
      cache: { ttlMs, cacheScope: "private" },
    };
  }
  await admitted(exchange);
  throw readError(noResource);
}

function readError(data: Record<string, unknown>): RpcError {
  const missing = data["error"] === "not_found";
  return new RpcError(
    missing ? rpcCode.resourceNotFound : rpcCode.internalError,
    missing ? "Resource not found" : "The resource could not be read",
    data,
  );
}

/** Whether the caller's token could succeed with this endpoint now: scope, role and plan. */
function mayCall({ access }: Endpoint, asker: Asker): boolean {
  if (access.face !== "api") return false;
  if (asker.anonymous) return access.anonymous === true;
  if (access.scope !== null && !asker.scopes.includes(access.scope)) return false;
  return access.plan === undefined || asker.includes(access.plan);
}

async function askerOf(exchange: Exchange): Promise<Asker> {
  const known = await exchange.backend.asker(exchange.requestId);
  if (known.ok) return known.asker;
  return refusedBy(exchange, known);
}

/** Where callers are guarded, nothing is answered before the credential was accepted. */
async function admitted(exchange: Exchange): Promise<void> {
  if (exchange.guarded) await askerOf(exchange);
}

async function refuse(
  exchange: Exchange,
  code: typeof rpcCode.invalidParams,
  message: string,
): Promise<never> {
  await admitted(exchange);
  throw new RpcError(code, message);
}

async function ask(
  exchange: Exchange,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<Answered | Refused> {
  const answer = await exchange.backend.call(endpoint, input, exchange.requestId);
  return !answer.ok && answer.credential && exchange.guarded ? refusedBy(exchange, answer) : answer;
}

function refusedBy(exchange: Exchange, refused: Refused): never {
  exchange.refused = refused;
  throw new RpcError(rpcCode.internalError, "The caller was refused", refused.body);
}
