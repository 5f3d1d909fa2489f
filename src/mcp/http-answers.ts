import type { Refused } from "../contract/backend.ts";
import { scopes } from "../core/access/scope.ts";
import type { ErrorCode } from "../core/errors.ts";
import { messageText } from "./message-text.ts";
import type { OriginVerdict } from "../contract/origin.ts";
import { rpcCode, rpcFailure } from "./rpc.ts";
import { toWire } from "./wire.ts";

export interface McpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A caller who asked for progress reads an event stream; this one begins with its end. */
export const said = (status: number, message: object, isStream: boolean): McpResponse =>
  isStream && status === 200
    ? {
        status,
        headers: { "content-type": "text/event-stream" },
        body: `event: message\ndata: ${messageText(message)}\n\n`,
      }
    : { status, headers: { "content-type": jsonType }, body: messageText(message) };

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

export const notAllowed = errorBody(405, "method_not_allowed", "The connector takes POST alone.", {
  allow: "POST",
});

/** Asked for at the first 401: reading is the everyday use, a write is asked for when it is wanted. */
const everydayScopes = `scope="${scopes.filter((scope) => scope.endsWith(":read")).join(" ")}"`;

export const unauthorized = errorBody(
  401,
  "unauthorized",
  "The connector needs a token. Send it as Authorization: Bearer.",
  {
    "www-authenticate": `Bearer ${everydayScopes}`,
  },
);

export function refusal({ status, body, retryAfterSeconds }: Refused): McpResponse {
  return json(status, body, {
    ...(status === 401 && { "www-authenticate": `Bearer error="invalid_token", ${everydayScopes}` }),
    ...(retryAfterSeconds !== null && { "retry-after": String(retryAfterSeconds) }),
  });
}

export const turnedAway = (verdict: Exclude<OriginVerdict, null>): McpResponse =>
  verdict === "duplicate"
    ? json(400, rpcFailure(null, rpcCode.refused, "Host or Origin was sent more than once"))
    : json(403, rpcFailure(null, rpcCode.refused, "Host or Origin is not this service's"));
