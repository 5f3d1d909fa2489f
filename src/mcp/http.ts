import type { Backend, Refused } from "../contract/backend.ts";
import type { Presented } from "../contract/door.ts";
import { scopes } from "../core/access/scope.ts";
import type { ErrorCode } from "../core/errors.ts";
import { servedMethods, type Exchange } from "./desk.ts";
import { readNarrowing, unnarrowed } from "./narrowing.ts";
import { originCheck, type OriginVerdict } from "./origin.ts";
import { routeOf, type Route } from "./routing.ts";
import { rpcCode, rpcFailure } from "./rpc.ts";
import type { Connector } from "./server.ts";
import { messageText } from "./message-text.ts";
import { toWire } from "./wire.ts";

export interface McpRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer | null;
  /** The part of the client's address that counts as one caller. */
  readonly address: string;
  readonly requestId: string;
}

export interface McpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpOptions {
  readonly connector: Connector;
  /** The backend that speaks for whoever presents this credential. */
  readonly backendFor: (presented: Presented) => Backend;
  /** Where others reach the service; asked when the first request comes, since a port may be the system's choice. */
  readonly baseUrl: () => string;
}

/** The connector over HTTP: stateless, one posted message an answer. Knows no web framework. */
export function mcpHandler({
  connector,
  backendFor,
  baseUrl,
}: HttpOptions): (request: McpRequest) => Promise<McpResponse> {
  let check: ReturnType<typeof originCheck> | null = null;
  return async (request) => {
    check ??= originCheck(baseUrl());
    const verdict = check(request.rawHeaders);
    const { status, headers, body } = verdict
      ? turnedAway(verdict)
      : await serve(connector, backendFor, request);
    return {
      status,
      body,
      headers: { ...headers, "cache-control": "no-store", "x-request-id": request.requestId },
    };
  };
}

async function serve(
  connector: Connector,
  backendFor: HttpOptions["backendFor"],
  request: McpRequest,
): Promise<McpResponse> {
  if (request.method !== "POST") return notAllowed;
  const authorization = headerOf(request, "authorization");
  if (authorization === undefined) return unauthorized;
  const narrowing = readNarrowing(queryOf(request.url));
  const exchange: Exchange = {
    backend: backendFor({ authorization, address: request.address }),
    narrowing: typeof narrowing === "string" ? unnarrowed : narrowing,
    requestId: request.requestId,
    guarded: true,
    refused: null,
  };
  const route = routeOf({
    contentType: headerOf(request, "content-type"),
    version: headerOf(request, "mcp-protocol-version"),
    method: headerOf(request, "mcp-method"),
    name: headerOf(request, "mcp-name"),
    body: request.body,
  });
  if (typeof narrowing === "string" || !asksItself(route)) {
    const known = await exchange.backend.asker(exchange.requestId);
    if (!known.ok) return refusal(known);
  }
  if (typeof narrowing === "string") return errorBody(400, "validation_error", narrowing);
  const response = await answer(
    connector,
    route,
    exchange,
    (headerOf(request, "accept") ?? "").includes("text/event-stream"),
  );
  return exchange.refused ? refusal(exchange.refused) : response;
}

/** Whether every message of a route makes its own call, which authenticates; asking before would do it twice. */
function asksItself(route: Route): boolean {
  if (route.kind === "modern") return servedMethods.has(route.request.method);
  return route.kind === "legacy" && route.requests.every(({ method }) => servedMethods.has(method));
}

async function answer(
  connector: Connector,
  route: Route,
  exchange: Exchange,
  takesStream: boolean,
): Promise<McpResponse> {
  switch (route.kind) {
    case "failure":
      return json(route.status, route.body);
    case "accepted":
      return { status: 202, headers: {}, body: null };
    case "modern": {
      const message = await connector.answerModern(route.request, route.classification, exchange);
      const isUnknown = "error" in message && message.error.code === rpcCode.methodNotFound;
      return said(isUnknown ? 404 : 200, message, takesStream && wantsProgress(route.request));
    }
    case "legacy": {
      const messages: object[] = [];
      for (const request of route.requests) {
        messages.push(await connector.answerLegacy(request, exchange));
        if (exchange.refused) break;
      }
      const [first] = messages;
      const isStream = takesStream && !route.isBatch && route.requests.some(wantsProgress);
      return said(200, route.isBatch || !first ? messages : first, isStream);
    }
  }
}

const wantsProgress = ({
  params,
}: {
  params?: { _meta?: { progressToken?: unknown } | undefined } | undefined;
}): boolean => params?._meta?.progressToken !== undefined;

/** A caller who asked for progress reads an event stream; this one begins with its end. */
const said = (status: number, message: object, isStream: boolean): McpResponse =>
  isStream && status === 200
    ? {
        status,
        headers: { "content-type": "text/event-stream" },
        body: `event: message\ndata: ${messageText(message)}\n\n`,
      }
    : { status, headers: { "content-type": jsonType }, body: messageText(message) };

const jsonType = "application/json; charset=utf-8";

const json = (status: number, body: object, headers: Record<string, string> = {}): McpResponse => ({
  status,
  headers: { "content-type": jsonType, ...headers },
  body: toWire(body),
});

const errorBody = (
  status: number,
  error: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): McpResponse => json(status, { error, message }, headers);

const notAllowed = errorBody(405, "method_not_allowed", "The connector takes POST alone.", { allow: "POST" });

/** Asked for at the first 401: reading is the everyday use, a write is asked for when it is wanted. */
const everydayScopes = `scope="${scopes.filter((scope) => scope.endsWith(":read")).join(" ")}"`;

const unauthorized = errorBody(
  401,
  "unauthorized",
  "The connector needs a token. Send it as Authorization: Bearer.",
  {
    "www-authenticate": `Bearer ${everydayScopes}`,
  },
);

function refusal({ status, body, retryAfterSeconds }: Refused): McpResponse {
  return json(status, body, {
    ...(status === 401 && { "www-authenticate": `Bearer error="invalid_token", ${everydayScopes}` }),
    ...(retryAfterSeconds !== null && { "retry-after": String(retryAfterSeconds) }),
  });
}

const turnedAway = (verdict: Exclude<OriginVerdict, null>): McpResponse =>
  verdict === "duplicate"
    ? json(400, rpcFailure(null, rpcCode.refused, "Host or Origin was sent more than once"))
    : json(403, rpcFailure(null, rpcCode.refused, "Host or Origin is not this service's"));

function headerOf({ headers }: McpRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
