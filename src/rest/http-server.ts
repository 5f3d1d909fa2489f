import { randomBytes } from "node:crypto";
import { METHODS, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { apiLimits } from "../contract/limits/body-limits.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { peekWindows, unknownWindows } from "../contract/limits/quota.ts";
import { Refusal, unknownPath } from "../core/errors.ts";
import { turnToBegin } from "../core/turns.ts";
import { leaveBodiesUnread } from "./body.ts";
import { decorateRequests } from "./access-log.ts";
import { callerAddress } from "./client-address.ts";
import { Connections } from "./connections.ts";
import { hangUp } from "./hang-up.ts";
import { headersOfEveryAnswer } from "./headers.ts";
import { refuse } from "./refusals.ts";
import { commonHeaders } from "./reply.ts";
import { Overload, shedLoad } from "./shed-load.ts";
import { noWaits } from "./waits.ts";
import { refuseOtherMethods } from "./taken-paths.ts";

/** The longest time for the headers, and for the whole request, ms. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
/** How often these limits are checked, ms. */
const checkEveryMs = 1000;

/** As long as a request's head may be, so that calls refuse impossible ids, not the router. */
const longestParameter = 16 * 1024;

/** No route has a schema for Fastify: calls check their input. Its own compilers would be loaded at every start. */
const unusedCompiler = () => () => {
  throw new Error("Routes have no schemas of Fastify.");
};
const withoutSchemas = {
  compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler },
};

export function httpServer(
  app: AppContext,
  trustProxy: readonly string[],
  connections = new Connections(),
  overload = new Overload(() => noWaits),
): FastifyInstance {
  const prefix = randomBytes(6).toString("hex");
  let serial = 0;
  const newRequestId = (): string => `${prefix}-${(serial += 1).toString(36)}`;
  const http = fastify({
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: apiLimits.bytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: connections.idleTimes.announcedMs,
    // While the service stops, late requests are served; their connections end with the answer.
    return503OnClosing: false,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      // Checked in `ambiguity`: Node's own answer would lack our headers.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: longestParameter },
    requestIdHeader: false,
    genReqId: newRequestId,
    schemaController: withoutSchemas,
    clientErrorHandler: (error, socket) => void answerBrokenRequest(app, error, socket, newRequestId()),
    frameworkErrors: (_error, request, reply) =>
      void refuse(app, request, reply.headers(headersOfEveryAnswer(app.baseUrl)), unknownPath()),
  });
  connections.attach(http.server);
  // An unknown expectation is no reason to refuse a request (RFC 9110, 10.1.1).
  http.server.on("checkExpectation", (request, response) => http.server.emit("request", request, response));
  for (const method of METHODS) {
    if (method !== "CONNECT" && !http.supportedMethods.includes(method))
      http.addHttpMethod(method, { hasBody: true });
  }
  leaveBodiesUnread(http);
  decorateRequests(http);
  http.addHook("onRequest", (request, reply, proceed) => {
    connections.begin(reply);
    const { headers } = request;
    reply.headers(headersOfEveryAnswer(app.baseUrl));
    // Fastify would refuse other values before the credential is checked.
    if (headers["content-type"] !== undefined && !mediaType.test(headers["content-type"])) {
      headers["content-type"] = "application/octet-stream";
    }
    const problem = ambiguity(request.raw);
    if (problem !== null) {
      reply.header("connection", "close");
      return refuse(app, request, reply, new Refusal("validation_error", problem));
    }
    if (shedLoad(app, overload, request, reply)) return;
    const turn = turnToBegin();
    if (turn === null) return proceed();
    return void turn.then(() => proceed());
  });
  refuseOtherMethods(http, app, longestParameter);
  return http;
}

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[\t ]*(?:;|$)/;

/**
 * Null if the request has one meaning. A proxy may use the other of two Host headers, and one of two
 * credentials would be ignored.
 */
function ambiguity({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  // The parser accepts HTTP/0.9, whose answers have no headers, and requests that claim HTTP/2.0.
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return "This version of HTTP is not known here. Send HTTP/1.1 or HTTP/1.0.";
  const hosts = timesSent(rawHeaders, "host");
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return "The request has no Host header, or more than one. Send exactly one.";
  return timesSent(rawHeaders, "authorization") > 1
    ? "The request has more than one Authorization header. Send only one."
    : null;
}

function timesSent(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count;
}

function brokenWords(tooSlow: boolean, tooLarge: boolean): string {
  if (tooSlow) return "The request took too long to arrive. Send it again.";
  return tooLarge
    ? "The request's headers are too long. Send shorter ones."
    : "This is not a well-formed HTTP request. Send it with an HTTP client.";
}

/** Answers bytes that are not an HTTP request, and closes; a client that is too slow gets 408. */
async function answerBrokenRequest(
  app: AppContext,
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): Promise<void> {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const tooSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const line = tooSlow
    ? "408 Request Timeout"
    : tooLarge
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
  const refusal = new Refusal("validation_error", brokenWords(tooSlow, tooLarge));
  const now = app.clock();
  const address = callerAddress(socket.remoteAddress ?? "");
  const windows = await peekWindows(app, { kind: "anonymous", address }, now).catch(() =>
    unknownWindows(app),
  );
  const body = JSON.stringify(refusal.body);
  const headers = {
    ...headersOfEveryAnswer(app.baseUrl),
    ...commonHeaders(requestId, windows, now),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${line}\r\n${head.join("")}\r\n${body}`);
  hangUp(socket);
}
