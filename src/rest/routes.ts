import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimitOf } from "../contract/limits/body-limits.ts";
import { call } from "../contract/call/call.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Endpoint } from "../contract/endpoint/endpoint.ts";
import { noteToken } from "./access-log.ts";
import { receiveBody, type Body } from "./body.ts";
import { callerAddress } from "./client-address.ts";
import { writtenAnswerOf, type Answer } from "./reply.ts";
import { requestInput } from "./request-input.ts";

/** `{id}` as the router spells it. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** A group of endpoints, and where it stands. */
export interface Mounted {
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
}

/** Mounts endpoints: each becomes one route that goes through the one door. */
export function mountEndpoints(http: FastifyInstance, { prefix, endpoints }: Mounted, app: AppContext): void {
  const methods = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const url = prefix + routerPath(endpoint.path);
    methods.set(url, [...(methods.get(url) ?? []), endpoint.method]);
    http.route({
      method: endpoint.method,
      url,
      bodyLimit: bodyLimitOf(endpoint),
      handler: (request, reply) => answerCall(app, endpoint, request, reply),
    });
  }
  for (const [url, taken] of methods) http.takenPaths.add(url, taken);
}

async function answerCall(
  app: AppContext,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request;
  let body: Body = null;
  const outcome = await call(app, endpoint, {
    credentials: {
      authorization: headers.authorization ?? null,
      // Worked out only where the address counts, which it does not for a token.
      get address() {
        return callerAddress(request.ip);
      },
      onToken: (tokenId) => noteToken(request, tokenId),
    },
    receive: async () => {
      body = await receiveBody(request);
    },
    input: (read) =>
      requestInput(
        endpoint,
        {
          params: request.params as Record<string, string>,
          query: request.query as Record<string, unknown>,
          rawQuery: request.url.split("?", 2)[1] ?? "",
          body,
          contentType: headers["content-type"] ?? "",
          contentEncoding: headers["content-encoding"] ?? "",
        },
        read,
      ),
    idempotencyKey: idempotencyKey(headers["idempotency-key"]),
    requestId: request.id,
  });
  return send(reply, await writtenAnswerOf(outcome, request.id));
}

const idempotencyKey = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? header.join(", ") : (header ?? null);

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
