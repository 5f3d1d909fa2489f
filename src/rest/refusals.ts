import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Door } from "../contract/door.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { peekWindows, unknownWindows } from "../contract/windows.ts";
import { Refusal } from "../core/errors.ts";
import { callerAddress } from "./client-address.ts";
import { commonHeaders, refusalAnswer } from "./reply.ts";
import { send, type Mounted } from "./routes.ts";

/** What is answered when no endpoint is reached: unknown paths, other methods, bodies that never became one. */
export function mountRefusals(app: FastifyInstance, door: Door, groups: readonly Mounted[]): void {
  const paths = groups.flatMap(({ prefix, endpoints }) => pathTable(prefix, endpoints));

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) {
      return refuse(
        door,
        request,
        reply,
        new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists them all."),
      );
    }
    const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
    reply.header("allow", allowed.join(", "));
    return refuse(
      door,
      request,
      reply,
      new Refusal("method_not_allowed", `This path takes ${allowed.join(", ")}.`),
    );
  });

  app.setErrorHandler(async (error: FastifyError, request, reply) =>
    refuse(door, request, reply, refusalOf(error, door, request.id)),
  );
}

const pathTable = (prefix: string, endpoints: readonly Endpoint[]) =>
  endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  }));

export async function refuse(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<FastifyReply> {
  const now = door.clock();
  const address = callerAddress(request.ip);
  const windows = await peekWindows(door, { kind: "anonymous", address }, now).catch(() =>
    unknownWindows(door),
  );
  return send(reply, refusalAnswer(refusal, commonHeaders(request.id, windows, now)));
}

/** What the framework refuses before our code sees it. */
function refusalOf(error: FastifyError, door: Door, requestId: string): Refusal {
  switch (error.statusCode) {
    case 413:
      return new Refusal("too_large", "The body is longer than this route takes.");
    case 400:
      return new Refusal("invalid_body", "The request's body could not be read as it was announced.");
    case 415:
      return new Refusal("invalid_body", "The body's Content-Type is not application/json.");
    case 404:
      return new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists them all.");
    default:
      door.reportDefect(error, requestId);
      return new Refusal(
        "internal_error",
        "Something went wrong on our side. Quote the request id to the operator.",
        { request_id: requestId },
      );
  }
}
