import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { call } from "../contract/call.ts";
import type { Door } from "../contract/door.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { callerAddress } from "./client-address.ts";
import { answerOf, type Answer } from "./reply.ts";
import { requestInput } from "./request-input.ts";

/** `{id}` as the router spells it. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** A group of endpoints, where it stands, and the longest body it takes, bytes. */
export interface Mounted {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
  readonly bodyLimit: number;
}

/** Mounts endpoints: each becomes one route that goes through the one door. */
export function mountEndpoints(
  app: FastifyInstance,
  { prefix, endpoints, bodyLimit }: Mounted,
  door: Door,
): void {
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: prefix + routerPath(endpoint.path),
      bodyLimit,
      handler: (request, reply) => answerCall(door, endpoint, request, reply),
    });
  }
}

async function answerCall(
  door: Door,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request;
  const outcome = await call(door, endpoint, {
    presented: {
      authorization: headers.authorization ?? null,
      // Worked out only where the address counts, which it does not for a token.
      get address() {
        return callerAddress(request.ip);
      },
    },
    input: () =>
      requestInput(endpoint, {
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: Buffer.isBuffer(request.body) ? request.body : null,
        contentType: headers["content-type"] ?? "",
        contentEncoding: headers["content-encoding"] ?? "",
      }),
    idempotencyKey: idempotencyKey(headers["idempotency-key"]),
    requestId: request.id,
  });
  return send(reply, answerOf(outcome, request.id));
}

const idempotencyKey = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? header.join(", ") : (header ?? null);

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
