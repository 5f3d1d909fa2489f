import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openBodyLimit } from "../contract/limits/body-limits.ts";
import { BrokenBody } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { hangUp } from "./hang-up.ts";

/** Null: no body. Refusal: the body was not kept, and reading the input throws it. */
export type Body = Buffer | Refusal | null;

/** Bytes of long bodies held at once, and the length from which a body is long. */
const mostHeld = 128 * 1024 * 1024;
const longFrom = 2 * 1024 * 1024;
const retryAfterSeconds = 5;

interface SentBody {
  readonly stream: IncomingMessage;
  /** Reserves room for more bytes of a long body; false if there is none. */
  readonly hold: (bytes: number) => boolean;
  isRead: boolean;
  /** Bytes reserved for this body. */
  held: number;
}

declare module "fastify" {
  interface FastifyRequest {
    sentBody: SentBody | null;
  }
}

/** Leaves every body unread until `receiveBody`, so that a refused request's body never takes memory. */
export function leaveBodiesUnread(http: FastifyInstance): void {
  let held = 0;
  const sentBody = (stream: IncomingMessage): SentBody => {
    const body: SentBody = {
      stream,
      hold: (bytes) => {
        if (held + bytes > mostHeld) return false;
        held += bytes;
        body.held += bytes;
        return true;
      },
      isRead: false,
      held: 0,
    };
    return body;
  };
  http.decorateRequest("sentBody", null);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser("*", (request: FastifyRequest, stream: IncomingMessage, done) => {
    request.sentBody = sentBody(stream);
    done(null);
  });
  http.addHook("onResponse", ({ sentBody: body }, _reply, done) => {
    if (body !== null) {
      held -= body.held;
      body.held = 0;
    }
    done();
  });
  http.addHook("onSend", (request, reply, _payload, done) => {
    const { complete, destroyed, socket } = request.raw;
    if (!complete && !destroyed && announcedLength(request) > mostThrownAway) {
      reply.header("connection", "close");
      // If destroyed at once, a client that is still sending would not get the answer.
      socket.destroySoon = () => hangUp(socket);
    }
    done();
  });
}

/** Discarding more bytes of a refused request costs more than a new connection. */
const mostThrownAway = 1024 * 1024;

/** Bytes; a chunked body may have any length. */
const announcedLength = ({ headers }: FastifyRequest): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

/** Whether a body may be longer than callers without a credential may send. */
export const isLongBody = (request: FastifyRequest): boolean => announcedLength(request) > openBodyLimit;

/** Reads the body, once; rejects with BrokenBody if it ends early. */
export function receiveBody(
  request: FastifyRequest,
  limit = request.routeOptions.bodyLimit,
): Body | Promise<Body> {
  const { sentBody: body } = request;
  if (body === null || body.isRead) return null;
  body.isRead = true;
  return Number(request.headers["content-length"] ?? 0) > limit ? tooLong(limit) : collect(body, limit);
}

/** Throws if `body` is a Refusal. */
export function bytesOf(body: Body): Buffer | null {
  if (body instanceof Refusal) throw body;
  return body;
}

const tooLong = (limit: number): Refusal =>
  new Refusal("too_large", `The body is longer than ${limit} bytes. Send a shorter one.`, { limit });

const busy = (): Refusal => {
  const words = "Too many large bodies are being read at the moment. Wait, then send the request again.";
  return new Refusal("rate_limited", words, {}, retryAfterSeconds);
};

/** After a refusal the server discards the rest of the body. */
function collect({ stream, hold }: SentBody, limit: number): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const broken = (cause?: Error): void => reject(new BrokenBody({ cause }));
    const settle = (body: Buffer | Refusal): void => {
      stream.off("data", take).off("end", end).off("close", broken).off("error", broken);
      resolve(body);
    };
    const end = (): void => settle(Buffer.concat(chunks, length));
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) settle(tooLong(limit));
      else if (length > longFrom && !hold(chunk.length)) settle(busy());
      else chunks.push(chunk);
    };
    stream.on("data", take).once("end", end).once("close", broken).once("error", broken);
    if (stream.destroyed) broken();
  });
}
