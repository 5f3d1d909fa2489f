import type { Readable } from "node:stream";
import type { Refused } from "../../contract/call/backend.ts";
import { readScopes, type Scope } from "../../core/access/scope.ts";
import type { ErrorCode, Refusal } from "../../core/errors.ts";
import { messageText } from "../protocol/message-text.ts";
import type { OriginVerdict } from "../../contract/call/origin.ts";
import { rpcCode, rpcFailure } from "../protocol/rpc.ts";
import { toWire } from "../result/wire.ts";

export interface McpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable | null;
}

export const jsonRpcResponse = (status: number, message: object): McpResponse => ({
  status,
  headers: { "content-type": jsonType },
  body: messageText(message),
});

export const sseEvent = (message: object): string => `event: message\ndata: ${messageText(message)}\n\n`;

export const eventStream = (body: string): McpResponse => ({
  status: 200,
  headers: { "content-type": eventType },
  body,
});

/**
 * Proxies must not buffer it. A held stream closes its connection: none stays idle when the service stops.
 */
export const openStream = (body: Readable, held: boolean): McpResponse => ({
  status: 200,
  headers: { "content-type": eventType, "x-accel-buffering": "no", ...(held && { connection: "close" }) },
  body,
});

const eventType = "text/event-stream";

const jsonType = "application/json; charset=utf-8";

export const json = (status: number, body: object, headers: Record<string, string> = {}): McpResponse => ({
  status,
  headers: { "content-type": jsonType, ...headers },
  body: toWire(body),
});

export const errorBody = (
  status: number,
  error: ErrorCode,
  message: string,
  headers?: Record<string, string>,
): McpResponse => json(status, { error, message }, headers);

/** For a message whose body is not read now. */
export const refusedBody = ({ status, body, retryAfterSeconds }: Refusal): McpResponse =>
  json(status, body, retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) });

export const notAllowed = errorBody(
  405,
  "method_not_allowed",
  "The connector takes only POST, and GET for the stream of a session.",
  { allow: "GET, POST" },
);

/** `WWW-Authenticate`: where a program gets a token, and which scopes to request. */
const challenge = (baseUrl: string, scopes: readonly Scope[], error?: string): string => {
  const errorPart = error === undefined ? "" : `error="${error}", `;
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
  return `Bearer ${errorPart}resource_metadata="${metadata}", scope="${scopes.join(" ")}"`;
};

export const unauthorized = (baseUrl: string): McpResponse =>
  errorBody(
    401,
    "unauthorized",
    "The connector needs a token. Send it in the header Authorization: Bearer.",
    {
      "www-authenticate": challenge(baseUrl, readScopes),
    },
  );

export function mcpRefusal(
  { status, body, retryAfterSeconds, wants }: Refused,
  baseUrl: string,
): McpResponse {
  return json(status, body, {
    ...(status === 401 && { "www-authenticate": challenge(baseUrl, readScopes, "invalid_token") }),
    ...(wants && { "www-authenticate": challenge(baseUrl, wants, "insufficient_scope") }),
    ...(retryAfterSeconds !== null && { "retry-after": String(retryAfterSeconds) }),
  });
}

export const turnedAway = (verdict: Exclude<OriginVerdict, null>): McpResponse =>
  verdict === "duplicate"
    ? json(400, rpcFailure(null, rpcCode.refused, "Host or Origin was sent more than once"))
    : json(403, rpcFailure(null, rpcCode.refused, "Host or Origin is not this service's"));

/** A client that can be asked must accept an event stream, because questions are sent on it. */
export const noStream = json(
  406,
  rpcFailure(null, rpcCode.refused, "The Accept header lacks text/event-stream"),
);

export const noBatch = json(
  400,
  rpcFailure(
    null,
    rpcCode.invalidRequest,
    "A client that supports elicitation must post one message at a time",
  ),
);
