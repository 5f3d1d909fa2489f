import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../core/errors.ts";

/** Stands in the place of a body that is longer than its route takes: the door says so, after the credential. */
export interface TooLong {
  readonly limit: number;
}

/** Stands in the place of a long body that came while others filled the memory there is for them. */
const busy = Symbol("too many long bodies at once");

export type Body = Buffer | TooLong | typeof busy | null;

/** Bytes of long bodies that are held at once, and from which length on a body is a long one. */
const mostHeld = 128 * 1024 * 1024;
const longFrom = 2 * 1024 * 1024;
const retryAfterSeconds = 5;

/** The body of a request as bytes; null where there was none. */
export const bodyOf = ({ body }: FastifyRequest): Body =>
  Buffer.isBuffer(body) || body === busy || isTooLong(body) ? body : null;

const isTooLong = (body: unknown): body is TooLong =>
  typeof body === "object" && body !== null && "limit" in body && typeof body.limit === "number";

/** Why a body was not kept: `too_large`, or `rate_limited` where it found no room. */
export function refusalOf(body: TooLong | typeof busy): Refusal {
  if (body !== busy)
    return new Refusal("too_large", `The body is longer than ${body.limit} bytes.`, { limit: body.limit });
  const words = "Too many large bodies are being read at once. Wait and send it again.";
  return new Refusal("rate_limited", words, {}, retryAfterSeconds);
}

/** The bytes of a body that was kept; throws the refusal of one that was not. */
export function bytesOf(body: Body): Buffer | null {
  if (body === null || Buffer.isBuffer(body)) return body;
  throw refusalOf(body);
}

/** Hands every body over as it came, whatever its type; of one that is too long, or finds no room, nothing is kept. */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  let held = 0;
  const heldBy = new WeakMap<FastifyRequest, number>();
  const hold = (request: FastifyRequest, bytes: number): boolean => {
    if (held + bytes > mostHeld) return false;
    held += bytes;
    heldBy.set(request, (heldBy.get(request) ?? 0) + bytes);
    return true;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) =>
    collect(
      payload,
      Number(request.headers["content-length"] ?? 0),
      request.routeOptions.bodyLimit,
      (bytes) => hold(request, bytes),
    ),
  );
  app.addHook("onResponse", async (request) => {
    held -= heldBy.get(request) ?? 0;
    heldBy.delete(request);
  });
}

/** `hold` asks for room for so many bytes more, beyond the first of a long body. */
async function collect(
  payload: IncomingMessage,
  announced: number,
  limit: number,
  hold: (bytes: number) => boolean,
): Promise<Buffer | TooLong | typeof busy> {
  if (announced > limit) return { limit };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) return { limit };
      if (length > longFrom && !hold(chunk.length)) return busy;
      chunks.push(chunk);
    }
  } catch (error) {
    // The client is gone, or what it sent is not what it announced: no defect of ours.
    throw Object.assign(new Error("The body broke off.", { cause: error }), { statusCode: 400 });
  }
  return Buffer.concat(chunks, length);
}
