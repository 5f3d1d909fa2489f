import {
  classifyInboundRequest,
  type InboundModernRoute,
  type MessageClassification,
} from "@modelcontextprotocol/server";
import { apiLimits, readHereLimit } from "../../contract/limits/body-limits.ts";
import { isJsonObject, parseJson } from "../../contract/endpoint/json-body.ts";
import { Refusal } from "../../core/errors.ts";
import { isPlainLegacy, isPlainModern } from "./plain-request.ts";
import { rpcCode, rpcFailure, type RpcId } from "./rpc.ts";
import { isGivenUp, isReply, type ClientReply, type GivenUp, type Request } from "./message.ts";
import { metaKey, modernRevision, olderRevisions } from "./revisions.ts";
import { headerMismatch, type StandardHeaders } from "./standard-headers.ts";

export type Route =
  | { readonly kind: "failure"; readonly status: number; readonly body: object }
  /** Notifications, and clients' replies to questions: neither gets an answer. */
  | { readonly kind: "accepted"; readonly notifications: readonly ClientNews[] }
  | {
      readonly kind: "legacy";
      readonly requests: readonly Request[];
      readonly notifications: readonly ClientNews[];
      readonly isBatch: boolean;
    }
  | {
      readonly kind: "modern";
      readonly request: Request;
      readonly classification: MessageClassification;
    };

export type ClientNews = ClientReply | GivenUp;

export interface PostedMessage extends StandardHeaders {
  readonly contentType: string | undefined;
  readonly body: Buffer | null;
}

/** Revision 2025-03-26 lets a client post several messages at once. */
const largestBatch = 20;

const jsonType = /^application\/json *(?:;|$)/i;

const failure = (status: number, code: number, message: string, data?: unknown, id: RpcId = null): Route => ({
  kind: "failure",
  status,
  body: rpcFailure(id, code, message, data),
});

/** Parses a long body outside the main thread; throws `Refusal`. */
export type ReadLong = (bytes: Buffer) => Promise<unknown>;

/** Throws `Refusal` if a long body cannot be read now. */
export async function routeOf(posted: PostedMessage, readLong: ReadLong): Promise<Route> {
  if (!jsonType.test(posted.contentType ?? ""))
    return failure(415, rpcCode.refused, "The media type is not application/json");
  const bytes = posted.body ?? Buffer.alloc(0);
  let body: unknown;
  try {
    body = bytes.length > readHereLimit ? await readLong(bytes) : parseJson(bytes, apiLimits);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "rate_limited" || error.code === "unavailable")
      throw error;
    return failure(400, rpcCode.parseError, "The body is not JSON that this service can read");
  }
  return routeOfMessage(body, posted);
}

function routeOfMessage(body: unknown, posted: PostedMessage): Route {
  const { version, method, name } = posted;
  if (isPlainLegacy(body, posted))
    return { kind: "legacy", requests: [body], notifications: [], isBatch: false };
  if (isPlainModern(body, posted))
    return namedModern(body, { era: "modern", revision: modernRevision }, posted);
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  if (outcome.kind === "reject")
    return failure(outcome.httpStatus, outcome.code, outcome.message, outcome.data, idOf(body));
  return outcome.kind === "modern" ? modernRoute(outcome, posted) : legacyRoute(body, posted.version);
}

function modernRoute(route: InboundModernRoute, headers: StandardHeaders): Route {
  const id = idOf(route.message);
  const requested = route.classification.revision ?? "unknown";
  if (requested !== modernRevision) {
    const versions = { supported: [modernRevision], requested };
    return failure(400, rpcCode.unsupportedVersion, "Unsupported protocol version", versions, id);
  }
  if (route.messageKind === "notification") return { kind: "accepted", notifications: [] };
  return namedModern(route.message, route.classification, headers);
}

/** Required in every request of revision 2026-07-28. */
const saysCapabilities = ({ params }: Request): boolean => {
  const meta = params?.["_meta"];
  return isJsonObject(meta) && isJsonObject(meta[metaKey.clientCapabilities]);
};

function namedModern(
  request: Request,
  classification: MessageClassification,
  headers: StandardHeaders,
): Route {
  if (!saysCapabilities(request))
    return failure(
      400,
      rpcCode.invalidParams,
      "_meta lacks the client's capabilities",
      undefined,
      request.id,
    );
  const mismatch = headerMismatch(request, headers);
  if (mismatch !== null) return failure(400, rpcCode.headerMismatch, mismatch, undefined, request.id);
  return { kind: "modern", request, classification };
}

function legacyRoute(body: unknown, version: string | undefined): Route {
  const isBatch = Array.isArray(body);
  const messages: unknown[] = isBatch ? body : [body];
  if (messages.length > largestBatch)
    return failure(400, rpcCode.invalidRequest, `A batch may have at most ${largestBatch} messages`);
  const requests = messages.filter(isRequest);
  const notifications = messages.filter((message) => isReply(message) || isGivenUp(message));
  if (requests.length === 0) return { kind: "accepted", notifications };
  const opens = requests.some(({ method }) => method === "initialize");
  if (isBatch && opens)
    return failure(400, rpcCode.invalidRequest, "initialize must be sent alone, not in a batch");
  if (!opens && version !== undefined && !olderRevisions.includes(version.trim())) {
    return failure(
      400,
      rpcCode.refused,
      "Unsupported protocol version",
      { supported: olderRevisions },
      idOf(body),
    );
  }
  return { kind: "legacy", requests, notifications, isBatch };
}

/** Sound: the classifier has checked the shape of every message. */
const isRequest = (message: unknown): message is Request =>
  isJsonObject(message) && "method" in message && "id" in message;

function idOf(body: unknown): RpcId {
  const id = isJsonObject(body) && "method" in body ? body["id"] : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
