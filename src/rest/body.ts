import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { openBodyLimit } from "../contract/limits/body-limits.ts";
import { BrokenBody } from "../contract/call/refusals.ts";
import { Refusal } from "../core/errors.ts";
import { hangUp } from "./hang-up.ts";

/** A body as bytes, null where there was none, or why it was not kept: the door says so where its turn has come. */
export type Body = Buffer | Refusal | null;

/** Bytes of long bodies that are held at once, and from which length on a body is a long one. */
const mostHeld = 128 * 1024 * 1024;
const longFrom = 2 * 1024 * 1024;
const retryAfterSeconds = 5;

/** A body that came with a request. */
interface SentBody {
  readonly stream: IncomingMessage;
  /** Asks for room for so many bytes more of a long body. */
  readonly hold: (bytes: number) => boolean;
  isRead: boolean;
  /** Bytes of it for which there is room. */
  held: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Null where the request came without a body. */
    sentBody: SentBody | null;
  }
}

/**
 * Leaves every body on its way, whatever its type, until `receiveBody` asks for it: what is refused before is never
 * read into memory.
 */
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
      // Destroyed at once, the connection would take the answer from a client that is still sending.
      socket.destroySoon = () => hangUp(socket);
    }
    done();
  });
}

/** Bytes of an answered request that may follow: throwing away more than that costs more than a new connection. */
const mostThrownAway = 1024 * 1024;

/** The length of a body, bytes; one in chunks may have any. */
const announcedLength = ({ headers }: FastifyRequest): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

/** Whether a body may be longer than what is taken from those who have shown no credential. */
export const isLongBody = (request: FastifyRequest): boolean => announcedLength(request) > openBodyLimit;

/** Reads the body of a request, once; rejects with BrokenBody where it ends before it should. */
export function receiveBody(
  request: FastifyRequest,
  limit = request.routeOptions.bodyLimit,
): Body | Promise<Body> {
  const { sentBody: body } = request;
  if (body === null || body.isRead) return null;
  body.isRead = true;
  return Number(request.headers["content-length"] ?? 0) > limit ? tooLong(limit) : collect(body, limit);
}

/** The bytes of a body that was kept; throws the refusal of one that was not. */
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

/** What follows a refusal is left to the server, which throws it away. */
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
