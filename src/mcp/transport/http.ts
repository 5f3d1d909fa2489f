import { hash } from "node:crypto";
import type { Backend } from "../../contract/call/backend.ts";
import type { Credentials } from "../../contract/call/app-context.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { isServed } from "../methods/methods.ts";
import { CallerRefused, readsOnly, withAbilities, type McpRequest } from "../methods/request.ts";
import {
  errorBody,
  noBatch,
  noStream,
  refusedBody,
  sseEvent,
  eventStream,
  json,
  notAllowed,
  openStream,
  mcpRefusal,
  jsonRpcResponse,
  turnedAway,
  unauthorized,
  type McpResponse,
} from "./http-answers.ts";
import { abilitiesOf, tokenIdOf, type Dialogues, type OpenStream, type Speaker } from "./http-client.ts";
import { Listeners } from "./http-listen.ts";
import type { SenderBodies } from "./sender-bodies.ts";
import { headerOf, queryOf, type McpHttpRequest } from "./http-request.ts";
import { introduces } from "../protocol/introduction.ts";
import { handleNotifications } from "./http-notifications.ts";
import { liveStream, type LiveStream } from "./live-stream.ts";
import { NarrowingByQuery, unnarrowed } from "../catalogue/narrowing.ts";
import { originCheck } from "../../contract/call/origin.ts";
import type { Era, Request } from "../protocol/message.ts";
import { olderRevisions } from "../protocol/revisions.ts";
import { Refusal } from "../../core/errors.ts";
import { routeOf, type PostedMessage, type ReadLong, type Route } from "../protocol/routing.ts";
import { rpcCode, rpcFailure } from "../protocol/rpc.ts";
import type { Connector } from "./connector.ts";
import type { EraName } from "../protocol/wire-error.ts";
import type { McpSession } from "./session.ts";

export interface HttpOptions {
  readonly connector: Connector;
  readonly catalogue: Catalogue<Outline>;
  readonly backendFor: (credentials: Credentials) => Backend;
  /** Read at the first request, since the system may have chosen the port. */
  readonly baseUrl: () => string;
  readonly dialogues: Dialogues;
  readonly bodies: SenderBodies;
}

interface HttpDeps extends HttpOptions {
  readonly listeners: Listeners;
  readonly narrowings: NarrowingByQuery;
}

/** The connector over HTTP: one answer for each posted message, and streams of notifications. */
export function mcpHandler(options: HttpOptions): (request: McpHttpRequest) => Promise<McpResponse> {
  const { catalogue, dialogues, baseUrl } = options;
  const deps: HttpDeps = {
    ...options,
    listeners: new Listeners(catalogue, dialogues),
    narrowings: new NarrowingByQuery(catalogue.tools),
  };
  let check: ReturnType<typeof originCheck> | null = null;
  return async (request) => {
    check ??= originCheck(baseUrl());
    const verdict = check(request.rawHeaders);
    const { status, headers, body } = verdict ? turnedAway(verdict) : await serve(deps, request);
    return {
      status,
      body,
      headers: { ...headers, "cache-control": "no-store", "x-request-id": request.requestId },
    };
  };
}

async function serve(deps: HttpDeps, request: McpHttpRequest): Promise<McpResponse> {
  const { backendFor, dialogues } = deps;
  const baseUrl = deps.baseUrl();
  const sessionId = headerOf(request, "mcp-session-id");
  const session = dialogues.sessions.of(sessionId);
  const isListening = request.method === "GET" && sessionId !== undefined;
  if (request.method !== "POST" && !isListening) return notAllowed;
  const authorization = headerOf(request, "authorization");
  if (authorization === undefined) return unauthorized(baseUrl);
  const narrowing = deps.narrowings.of(queryOf(request.url));
  const { address, onToken } = request;
  const credentials: Credentials = { authorization, address, atConnector: true, ...(onToken && { onToken }) };
  const own = {
    backend: backendFor(credentials),
    narrowing: typeof narrowing === "string" ? unnarrowed : narrowing,
    requestId: request.requestId,
    guarded: true,
  };
  const context = withAbilities(own, readsOnly);
  try {
    const early = typeof request.body === "function" ? await tokenIdOf(context) : null;
    if (early !== null) deps.bodies.admit(early);
    const posted = isListening ? null : await postedBy(request);
    const readLong: ReadLong = (bytes) => deps.bodies.readLong(early ?? "", bytes);
    const route = posted && (await routeOf(posted, readLong));
    const isStray = sessionId !== undefined && session === null && route?.kind !== "modern";
    const isUnasked = typeof narrowing === "string" || isStray || route === null || !asksItself(route);
    const sender = early === null && isUnasked ? await tokenIdOf(context) : early;
    if (route?.kind === "failure" && sender !== null)
      deps.bodies.refused(sender, route.status, posted?.body?.length ?? 0);
    if (typeof narrowing === "string") return errorBody(400, "validation_error", narrowing);
    if (isStray) return unknownSession;
    const client: Client = {
      context,
      speaker: session && { session, caller: digestOf(authorization) },
      watcher: () => backendFor({ ...credentials, unnoticed: true }),
      takesStream: /text\/event-stream|\*\/\*/.test(headerOf(request, "accept") ?? ""),
    };
    return await (route === null ? listening(deps, request, client, session) : answer(deps, route, client));
  } catch (error) {
    if (error instanceof CallerRefused) return mcpRefusal(error.refused, baseUrl);
    if (error instanceof Refusal) return refusedBody(error);
    throw error;
  }
}

/** A cache key from which the credential cannot be read. */
const digestOf = (authorization: string): string => hash("sha256", authorization, "base64url");

/** The protocol's answer to an unknown session: the client begins a new one. */
const unknownSession = json(
  404,
  rpcFailure(null, rpcCode.refused, "This session is not known here; send initialize again"),
);

/** Opens the stream of a session after the checks of a posted message. */
async function listening(
  { listeners }: HttpDeps,
  request: McpHttpRequest,
  { context, takesStream, watcher }: Client,
  session: McpSession | null,
): Promise<McpResponse> {
  if (session === null) return unknownSession;
  const version = headerOf(request, "mcp-protocol-version");
  if (version !== undefined && !olderRevisions.includes(version))
    return json(400, rpcFailure(null, rpcCode.refused, "Unsupported protocol version"));
  if (!takesStream) return noStream;
  return listeners.listen(context, session, watcher());
}

const postedBy = async (request: McpHttpRequest): Promise<PostedMessage> => ({
  contentType: headerOf(request, "content-type"),
  version: headerOf(request, "mcp-protocol-version"),
  method: headerOf(request, "mcp-method"),
  name: headerOf(request, "mcp-name"),
  body: typeof request.body === "function" ? await request.body() : request.body,
});

/** Whether every message of a route authenticates in its own call, so that no check is needed before. */
function asksItself(route: Route): boolean {
  const looksWhoAsks = (method: string, era: EraName): boolean =>
    isServed(method, era) || introduces(method, era);
  if (route.kind === "modern") return looksWhoAsks(route.request.method, "modern");
  if (route.kind !== "legacy" || route.isBatch) return false;
  return route.requests.every(({ method }) => looksWhoAsks(method, "legacy"));
}

interface Client {
  readonly context: McpRequest;
  /** Null without a session. */
  readonly speaker: Speaker | null;
  /** A backend of the same caller whose reads do not count as a use of the token. */
  readonly watcher: () => Backend;
  readonly takesStream: boolean;
}

async function answer(deps: HttpDeps, route: Route, client: Client): Promise<McpResponse> {
  const { connector, dialogues, listeners } = deps;
  const { context, takesStream, speaker, watcher } = client;
  switch (route.kind) {
    case "failure":
      return json(route.status, route.body);
    case "accepted":
      await handleNotifications(route.notifications, context, speaker, dialogues);
      return { status: 202, headers: {}, body: null };
    case "modern": {
      const { request, classification } = route;
      if (request.method === listenMethod)
        return takesStream
          ? listeners.subscribed(context, request, watcher(), connector.identity)
          : needsStream(request);
      return single(deps, request, { name: "modern", classification }, client);
    }
    case "legacy": {
      const { requests, notifications, isBatch } = route;
      const [only] = requests;
      const asks = speaker?.session.asks === true;
      if (only && !isBatch)
        return asks && only.method === "tools/call" && !takesStream
          ? noStream
          : single(deps, only, { name: "legacy" }, client);
      // No revision has both batches and questions; a question needs a stream of its own.
      if (asks) return noBatch;
      await handleNotifications(notifications, context, speaker, dialogues);
      const messages: object[] = [];
      const era: Era = { name: "legacy" };
      for (const request of requests) {
        const abilities = abilitiesOf(context, request, era, speaker, null, dialogues);
        messages.push(await connector.answer(request, era, withAbilities(context, abilities)));
      }
      return jsonRpcResponse(200, messages);
    }
  }
}

/** The request of revision 2026-07-28 for a stream of changes. */
const listenMethod = "subscriptions/listen";

const needsStream = ({ id }: Request): McpResponse =>
  jsonRpcResponse(
    200,
    rpcFailure(id, rpcCode.invalidParams, "The answer is a stream: send Accept: text/event-stream"),
  );

/** Sends an event stream if a message comes before the answer or the call has a progress token. */
async function single(
  { connector, dialogues }: HttpDeps,
  request: Request,
  era: Era,
  { context, speaker, takesStream }: Client,
): Promise<McpResponse> {
  let open: LiveStream | null = null;
  let begin: (response: McpResponse) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const answered = new Promise<McpResponse>((resolve, reject) => ([begin, fail] = [resolve, reject]));
  const stream: OpenStream = (held) => {
    if (open === null) {
      open = liveStream(dialogues.closing);
      begin(openStream(open.body, held));
    }
    return open;
  };
  const abilities = abilitiesOf(context, request, era, speaker, takesStream ? stream : null, dialogues);
  const finished = async (): Promise<McpResponse> => {
    const message = await connector
      .answer(request, era, withAbilities(context, abilities))
      .catch((error: unknown) => {
        // The stream's status was already sent, so the refusal becomes the last message.
        if (open && error instanceof CallerRefused)
          return rpcFailure(request.id, rpcCode.internalError, error.message, error.refused.body);
        open?.body.destroy();
        throw error;
      });
    open?.send(message);
    open?.end();
    const status = statusOf(message, era);
    if (isBeginning(request, message))
      return withSession(jsonRpcResponse(status, message), request, dialogues);
    return takesStream && wantsProgress(request) && status === 200
      ? eventStream(sseEvent(message))
      : jsonRpcResponse(status, message);
  };
  finished().then(begin, fail);
  return answered;
}

const isBeginning = ({ method }: Request, message: object): boolean =>
  method === "initialize" && !isFailure(message);

/** Older clients declare their capabilities once; the session's id carries them from then on. */
const withSession = (
  { status, headers, body }: McpResponse,
  { params = {} }: Request,
  { sessions }: Dialogues,
): McpResponse => ({
  status,
  body,
  headers: { ...headers, "mcp-session-id": sessions.begin(params["capabilities"]) },
});

/** From 2026-07-28 on an unknown method is also a 404 of HTTP. */
const statusOf = (message: object, era: Era): number =>
  era.name === "modern" && isFailure(message) && message.error.code === rpcCode.methodNotFound ? 404 : 200;

const isFailure = (message: object): message is { error: { code: number } } => "error" in message;

const wantsProgress = ({
  params,
}: {
  params?: { _meta?: { progressToken?: unknown } | undefined } | undefined;
}): boolean => params?.["_meta"]?.progressToken !== undefined;
