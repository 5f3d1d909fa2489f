import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../core/errors.ts";

/** Stands in the place of a body that is longer than its route takes: the door says so, after the credential. */
export interface TooLong {
  readonly limit: number;
}

export type Body = Buffer | TooLong | null;

/** The body of a request as bytes; null where there was none. */
export const bodyOf = ({ body }: FastifyRequest): Body =>
  Buffer.isBuffer(body) || isTooLong(body) ? body : null;

const isTooLong = (body: unknown): body is TooLong =>
  typeof body === "object" && body !== null && "limit" in body && typeof body.limit === "number";

/** The bytes of a body that is not too long; throws `too_large` for one that is. */
export function bytesOf(body: Body): Buffer | null {
  if (body === null || Buffer.isBuffer(body)) return body;
  throw new Refusal("too_large", `The body is longer than ${body.limit} bytes.`, { limit: body.limit });
}

/** Hands every body over as it came, whatever its type; of one that is too long nothing is kept. */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) =>
    collect(payload, Number(request.headers["content-length"] ?? 0), request.routeOptions.bodyLimit),
  );
}

async function collect(
  payload: IncomingMessage,
  announced: number,
  limit: number,
): Promise<Buffer | TooLong> {
  if (announced > limit) return { limit };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) return { limit };
      chunks.push(chunk);
    }
  } catch (error) {
    // The client is gone, or what it sent is not what it announced: no defect of ours.
    throw Object.assign(new Error("The body broke off.", { cause: error }), { statusCode: 400 });
  }
  return Buffer.concat(chunks, length);
}
