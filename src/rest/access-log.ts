import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusedPath } from "./taken-paths.ts";

interface RequestLogger {
  isLevelEnabled(level: "info"): boolean;
  info(fields: object, message: string): void;
}

/** Client ids that could be read as anything but an id are left out. */
const clientId = /^[A-Za-z0-9._-]{1,64}$/;

const shownOfToken = 8;

declare module "fastify" {
  interface FastifyRequest {
    /** For the access log; null until a token is known. */
    tokenId: string | null;
  }
}

export const decorateRequests = (app: FastifyInstance): void => void app.decorateRequest("tokenId", null);

/** One line a request. It has the route's pattern, because paths can hold ids of people. */
export function logRequests(app: FastifyInstance, log: RequestLogger): void {
  if (!log.isLevelEnabled("info")) return;
  app.addHook("onResponse", (request, reply, done) => {
    if (!isUneventful(request, reply)) log.info(lineOf(request, reply), "request");
    done();
  });
}

/** Load balancers, supervisors and Prometheus request these every few seconds. */
const probes: ReadonlySet<string> = new Set(["/livez", "/readyz", "/healthz", "/metrics"]);

/** Only successful probes and scrapes are left out of the log. */
const isUneventful = (request: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.statusCode < 300 && probes.has(request.routeOptions.url ?? "");

/** `route` is the route's pattern; null for unknown paths. */
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
