import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyLimitOf } from "../contract/limits/body-limits.ts";
import { call } from "../contract/call/call.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { Endpoint } from "../contract/endpoint/endpoint.ts";
import { Refusal, unknownPath } from "../core/errors.ts";
import { noteToken } from "./access-log.ts";
import { receiveBody, type Body } from "./body.ts";
import { callerAddress } from "./client-address.ts";
import { refuse } from "./refusals.ts";
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
  for (const [url, taken] of methods) mountOtherMethods(http, url, taken, app);
}

/**
 * Every method a path does not take is 405 there, before its body is read. The router itself finds the path,
 * however it is spelt; a placeholder that nothing stands in is no such path.
 */
export function mountOtherMethods(
  http: FastifyInstance,
  url: string,
  taken: readonly string[],
  app: AppContext,
): void {
  const allowed = taken.includes("GET") ? [...taken, "HEAD"] : [...taken];
  const refuseMethod = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (Object.values(request.params as Record<string, string>).includes("")) {
      return refuse(app, request, reply, unknownPath());
    }
    reply.header("allow", allowed.join(", "));
    const words = `This path does not take this method. It takes ${allowed.join(", ")}.`;
    return refuse(app, request, reply, new Refusal("method_not_allowed", words));
  };
  const method = http.supportedMethods.filter((other) => !allowed.includes(other));
  http.route({ method, url, onRequest: refuseMethod, handler: refuseMethod });
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
