import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticateApi } from "../contract/authenticate.ts";
import type { Door } from "../contract/door.ts";
import { peekWindows, unknownWindows } from "../contract/windows.ts";
import type { RateWindows } from "../core/access/rate-window.ts";
import { secretPrefixes } from "../core/access/secret.ts";
import { Refusal } from "../core/errors.ts";
import type { Instant } from "../core/time.ts";
import { callerAddress } from "./client-address.ts";
import { commonHeaders, refusalAnswer } from "./reply.ts";
import { send, type Mounted } from "./routes.ts";

/** What is answered when no endpoint is reached: unknown paths, other methods, bodies that never became one. */
export function mountRefusals(app: FastifyInstance, door: Door, groups: readonly Mounted[]): void {
  const paths = groups.flatMap(pathTable);

  const refuseUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = uncounted.test(path)
      ? ["GET"]
      : paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) return refuse(door, request, reply, unknownPath());
    const allowed = (methods.includes("GET") ? [...methods, "HEAD"] : methods).join(", ");
    reply.header("allow", allowed);
    return refuse(door, request, reply, new Refusal("method_not_allowed", `This path takes ${allowed}.`));
  };

  app.setNotFoundHandler(refuseUnrouted);
  app.setErrorHandler(async (error: FastifyError, request, reply) =>
    request.is404
      ? refuseUnrouted(request, reply)
      : refuse(door, request, reply, refusalOf(error, door, request.id)),
  );
}

const pathTable = ({ prefix, endpoints }: Mounted) =>
  endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

/** The pages beside the endpoints. */
const uncounted = /^(?:\/healthz|\/\w+\/v1\/openapi\.json)$/;

export const unknownPath = (): Refusal =>
  new Refusal("not_found", "No route has this path. /api/v1/openapi.json lists them all.");

export async function refuse(
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<FastifyReply> {
  const now = door.clock();
  const windows = await windowsTold(door, request, now).catch(() => unknownWindows(door));
  return send(reply, refusalAnswer(refusal, commonHeaders(request.id, windows, now)));
}

/** The caller's own windows with a good token, else those of the address; nothing is counted. */
async function windowsTold(door: Door, { headers, ip }: FastifyRequest, now: Instant): Promise<RateWindows> {
  const anonymous = { kind: "anonymous", address: callerAddress(ip) } as const;
  const authorization = headers.authorization ?? "";
  if (!apiBearer.test(authorization)) return peekWindows(door, anonymous, now);
  const presented = { authorization, address: anonymous.address };
  return peekWindows(door, await authenticateApi(door, presented, now).catch(() => anonymous), now);
}

/** A server's credential on a path nobody takes is no guess at a token. */
const apiBearer = new RegExp(`^bearer +${secretPrefixes.api}_`, "i");

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
      return unknownPath();
    default:
      door.reportDefect(error, requestId);
      return new Refusal(
        "internal_error",
        "Something went wrong on our side. Quote the request id to the operator.",
        { request_id: requestId },
      );
  }
}
