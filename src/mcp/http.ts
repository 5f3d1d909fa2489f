import { PassThrough } from "node:stream";
import type { Backend } from "../contract/backend.ts";
import type { Presented } from "../contract/door.ts";
import { isServed } from "./desk.ts";
import type { Exchange } from "./exchange.ts";
import {
  errorBody,
  eventOf,
  eventStream,
  json,
  notAllowed,
  refusal,
  said,
  turnedAway,
  unauthorized,
  type McpResponse,
} from "./http-answers.ts";
import { readNarrowing, unnarrowed } from "./narrowing.ts";
import { originCheck } from "../contract/origin.ts";
import type { Era, Request } from "./message.ts";
import { routeOf, type Route } from "./routing.ts";
import { rpcCode } from "./rpc.ts";
import type { Connector } from "./server.ts";

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
      : await serve(connector, backendFor, baseUrl(), request);
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
  baseUrl: string,
  request: McpRequest,
): Promise<McpResponse> {
  if (request.method !== "POST") return notAllowed;
  const authorization = headerOf(request, "authorization");
  if (authorization === undefined) return unauthorized(baseUrl);
  const narrowing = readNarrowing(queryOf(request.url));
  const exchange: Exchange = {
    backend: backendFor({ authorization, address: request.address, atConnector: true }),
    narrowing: typeof narrowing === "string" ? unnarrowed : narrowing,
    requestId: request.requestId,
    guarded: true,
    notify: null,
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
    if (!known.ok) return refusal(known, baseUrl);
  }
  if (typeof narrowing === "string") return errorBody(400, "validation_error", narrowing);
  const response = await answer(
    connector,
    route,
    exchange,
    (headerOf(request, "accept") ?? "").includes("text/event-stream"),
  );
  return exchange.refused ? refusal(exchange.refused, baseUrl) : response;
}

/** Whether every message of a route makes its own call, which authenticates; asking before would do it twice. */
function asksItself(route: Route): boolean {
  if (route.kind === "modern") return isServed(route.request.method);
  return route.kind === "legacy" && route.requests.every(({ method }) => isServed(method));
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
      const { request, classification } = route;
      const era = { name: "modern", classification } as const;
      if (takesStream && wantsProgress(request)) return streamed(connector, request, era, exchange);
      const message = await connector.answer(request, era, exchange);
      return said(statusOf(message), message);
    }
    case "legacy": {
      const { requests, isBatch } = route;
      const [only] = requests;
      if (takesStream && !isBatch && only && wantsProgress(only))
        return streamed(connector, only, { name: "legacy" }, exchange);
      const messages: object[] = [];
      for (const request of requests) {
        messages.push(await connector.answer(request, { name: "legacy" }, exchange));
        if (exchange.refused) break;
      }
      const [first] = messages;
      return said(200, isBatch || !first ? messages : first);
    }
  }
}

/** An event stream from the first word of progress on; an answer before it is one event, or what refuses it. */
async function streamed(
  connector: Connector,
  request: Request,
  era: Era,
  exchange: Exchange,
): Promise<McpResponse> {
  const events = new PassThrough();
  const begun = new Promise<McpResponse>((resolve) => {
    exchange.notify = (method, params) => {
      events.write(eventOf({ jsonrpc: "2.0", method, params }));
      resolve(eventStream(events));
    };
  });
  const finished = async (): Promise<McpResponse> => {
    const message = await connector.answer(request, era, exchange).catch((error: unknown) => {
      events.destroy();
      throw error;
    });
    events.end(eventOf(message));
    return era.name === "modern" && statusOf(message) !== 200
      ? said(statusOf(message), message)
      : eventStream(eventOf(message));
  };
  return Promise.race([begun, finished()]);
}

const statusOf = (message: object): number =>
  isFailure(message) && message.error.code === rpcCode.methodNotFound ? 404 : 200;

const isFailure = (message: object): message is { error: { code: number } } => "error" in message;

const wantsProgress = ({
  params,
}: {
  params?: { _meta?: { progressToken?: unknown } | undefined } | undefined;
}): boolean => params?.["_meta"]?.progressToken !== undefined;

function headerOf({ headers }: McpRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
