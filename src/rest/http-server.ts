import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import type { Door } from "../contract/door.ts";
import { peekWindows, unknownWindows } from "../contract/windows.ts";
import { Refusal } from "../core/errors.ts";
import { callerAddress } from "./client-address.ts";
import { refuse } from "./refusals.ts";
import { commonHeaders } from "./reply.ts";

/** The longest API body, bytes: private notes of 10,000 characters, each written as two escapes, take 120,000. */
export const apiBodyLimit = 1024 * 1024;

/** A client has this long for its headers, for its whole request, and between two requests, ms. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
const keepAliveTimeoutMs = 10_000;
/** How often those limits are enforced, ms. */
const checkEveryMs = 1000;

/** Identifiers longer than this are none; the router refuses longer ones as unknown paths. */
const longestParameter = 4096;

/** An HTTP server with the limits every route shares and no route yet. */
export function httpServer(door: Door, trustProxy: readonly string[]): FastifyInstance {
  const prefix = randomBytes(6).toString("hex");
  let serial = 0;
  const app = fastify({
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: apiBodyLimit,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: checkEveryMs },
    routerOptions: { maxParamLength: longestParameter },
    requestIdHeader: false,
    genReqId: () => `${prefix}-${(serial += 1).toString(36)}`,
    clientErrorHandler: (error, socket) => void answerBrokenRequest(door, error, socket),
    frameworkErrors: (_error, request, reply) =>
      void refuse(
        door,
        request,
        reply,
        new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists them all."),
      ),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    if (hostHeaders(request.raw.rawHeaders) < 2) return;
    await refuse(
      door,
      request,
      reply,
      new Refusal("validation_error", "The request has more than one Host header."),
    );
  });
  return app;
}

/** Two Host headers are a smuggling attempt: a proxy and we might each believe another one. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

/** Answers bytes that are no HTTP request, and closes; a client that is too slow is told so. */
async function answerBrokenRequest(
  door: Door,
  error: Error & { code?: string },
  socket: Socket,
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
  const refusal = new Refusal(
    "validation_error",
    tooSlow ? "The request took too long to arrive." : "This is not a well-formed HTTP request.",
  );
  const now = door.clock();
  const address = callerAddress(socket.remoteAddress ?? "");
  const windows = await peekWindows(door, { kind: "anonymous", address }, now).catch(() =>
    unknownWindows(door),
  );
  const body = JSON.stringify(refusal.body);
  const headers = {
    ...commonHeaders("none", windows, now),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${line}\r\n${head.join("")}\r\n${body}`);
}
