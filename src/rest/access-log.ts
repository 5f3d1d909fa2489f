import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusedPath } from "./taken-paths.ts";

/** As much of the log as is needed here. */
interface RequestLogger {
  isLevelEnabled(level: "info"): boolean;
  info(fields: object, message: string): void;
}

/** What a client may name its request: what could be read as more than a name is left out. */
const clientId = /^[A-Za-z0-9._-]{1,64}$/;

/** Enough of a token's id to find it in a list of tokens. */
const shownOfToken = 8;

declare module "fastify" {
  interface FastifyRequest {
    /** The token that a request presented, for its line in the log; null while it is not known. */
    tokenId: string | null;
  }
}

/** Gives each request its `tokenId`. */
export const decorateRequests = (app: FastifyInstance): void => void app.decorateRequest("tokenId", null);

/**
 * One line a request, with the pattern of its route: never its path, which may hold an id of somebody, nor its query.
 * A request that no route takes has none.
 */
export function logRequests(app: FastifyInstance, log: RequestLogger): void {
  if (!log.isLevelEnabled("info")) return;
  app.addHook("onResponse", (request, reply, done) => {
    if (!isUneventful(request, reply)) log.info(lineOf(request, reply), "request");
    done();
  });
}

/** What load balancers, supervisors and Prometheus ask every few seconds, and most lines would be about. */
const probes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/healthz", "/metrics"]);

/** A probe or scrape that was answered as always; one that fails has its line. */
const isUneventful = (request: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.statusCode < 300 && probes.has(request.routeOptions.url ?? "");

/** Counts every request by the pattern of its route; `null` stands for a request that no route takes. */
export function countRequests(
  app: FastifyInstance,
  count: (route: string | null, status: number, seconds: number) => void,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    count(routeOf(request), reply.raw.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

const routeOf = (request: FastifyRequest): string | null =>
  refusedPath(request) ?? (request.is404 ? null : (request.routeOptions.url ?? null));

function lineOf(request: FastifyRequest, reply: FastifyReply): Readonly<Record<string, unknown>> {
  const sent = request.headers["x-request-id"];
  return {
    method: request.method,
    route: routeOf(request),
    status: reply.raw.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    request_id: request.id,
    token: request.tokenId?.slice(0, shownOfToken) ?? null,
    ...(typeof sent === "string" && clientId.test(sent) && { client_request_id: sent }),
  };
}
