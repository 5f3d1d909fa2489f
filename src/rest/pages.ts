import type { FastifyInstance } from "fastify";
import type { AppContext } from "../contract/call/app-context.ts";
import { asRefusal, migrating, stopping } from "../contract/call/refusals.ts";
import { Refusal, Unavailable } from "../core/errors.ts";
import { openApiDocument } from "./openapi/document.ts";
import { refuse, rateWindowViews } from "./refusals.ts";
import { commonHeaders, refusalAnswer } from "./reply.ts";
import { send, type Mounted } from "./routes.ts";

/** A page that needs no token and counts nowhere, and tells the caller's windows like every other answer. */
function mountUncounted(
  http: FastifyInstance,
  app: AppContext,
  url: string,
  answer: () => Promise<unknown>,
): void {
  http.get(url, async (request, reply) => {
    try {
      const body = JSON.stringify(await answer());
      const now = app.clock();
      const headers = commonHeaders(request.id, await rateWindowViews(app, request, now), now);
      return send(reply, { status: 200, headers, body });
    } catch (error) {
      return refuse(app, request, reply, asRefusal(error, app, request.id));
    }
  });
  http.takenPaths.add(url, ["GET"]);
}

export interface DocumentWords {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

/** The OpenAPI document of a group of endpoints, made when it is first asked for. */
export function mountDocument(
  http: FastifyInstance,
  app: AppContext,
  { prefix, endpoints }: Mounted,
  words: DocumentWords,
): void {
  let document: unknown = null;
  mountUncounted(http, app, `${prefix}/openapi.json`, async () => {
    document ??= openApiDocument({ ...words, serverUrl: app.baseUrl + prefix }, endpoints);
    return document;
  });
}

const fine = { status: "ok" };

/** What a load balancer or a supervisor asks. */
export interface Probes {
  /** Rejects while the database does not answer; the id of the newest migration that it has. */
  readonly newestMigration: () => Promise<number>;
  /** The newest migration that this program knows. */
  readonly ownMigration: number;
  /** Why the database cannot be trusted; null where nothing is known against it. */
  readonly damage: () => Unavailable | null;
  readonly isStopping: () => boolean;
  /** Why nothing is written to the database any more; null while nothing is known. */
  readonly refusal: () => Unavailable | null;
  readonly isDiskFull: () => boolean;
  /** Whether requests may be sent here while the disk is full: reads are answered. */
  readonly readyWithFullDisk: boolean;
}

/** The answer to a probe while changes alone are refused. */
const degradedByDisk = {
  status: "degraded",
  degraded: "disk",
  message: "The disk of the service's database is full: reads are answered, and changes are refused.",
};

/**
 * `/livez`: the process answers, whatever the database does: a supervisor that restarts a live process because its
 * database is away only adds to the outage. `/readyz`: requests may be sent here. Neither reads or tells rate windows.
 */
export function mountProbes(
  http: FastifyInstance,
  app: AppContext,
  { newestMigration, ownMigration, damage, isStopping, refusal, isDiskFull, readyWithFullDisk }: Probes,
): void {
  const checkReady = async (): Promise<object> => {
    if (isStopping()) throw stopping();
    const refused = refusal();
    if (refused !== null) throw refused;
    const newest = await newestMigration().catch((error: unknown) => {
      throw error instanceof Unavailable ? error : new Unavailable(error);
    });
    if (newest < ownMigration) throw migrating();
    const found = damage();
    if (found !== null) throw found;
    if (!isDiskFull()) return fine;
    if (!readyWithFullDisk) throw new Unavailable(null, "full");
    return degradedByDisk;
  };
  for (const [url, check] of [
    ["/livez", async () => fine],
    ["/readyz", checkReady],
  ] as const) {
    http.get(url, async (request, reply) => {
      const headers = commonHeaders(request.id, null, app.clock());
      try {
        return await send(reply, { status: 200, headers, body: JSON.stringify(await check()) });
      } catch (error) {
        return send(reply, refusalAnswer(asRefusal(error, app, request.id), headers));
      }
    });
    http.takenPaths.add(url, ["GET"]);
  }
}

/** Answers to scrapes on the service's own port, for who has the token. */
export interface MetricsRoute {
  readonly isAllowed: (authorization: string | null) => boolean;
  readonly expose: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

export function mountMetrics(
  http: FastifyInstance,
  app: AppContext,
  { isAllowed, expose }: MetricsRoute,
): void {
  const url = "/metrics";
  http.get(url, async (request, reply) => {
    const headers = commonHeaders(request.id, null, app.clock());
    if (!isAllowed(request.headers.authorization ?? null))
      return send(reply, refusalAnswer(metricsTokenNeeded(), headers));
    const { contentType, text } = await expose();
    return send(reply, { status: 200, headers: { ...headers, "content-type": contentType }, body: text });
  });
  http.takenPaths.add(url, ["GET"]);
}

const metricsTokenNeeded = (): Refusal =>
  new Refusal(
    "unauthorized",
    "This page needs the token of TICKMARK_METRICS_TOKEN. Send it in the header Authorization: Bearer.",
  );

/** Whether the service can answer at all; `ping` rejects while the database does not. */
export const mountHealth = (http: FastifyInstance, app: AppContext, ping: () => Promise<unknown>): void =>
  mountUncounted(http, app, "/healthz", async () => {
    await ping().catch((error: unknown) => {
      throw error instanceof Unavailable ? error : new Unavailable(error);
    });
    return { status: "ok" };
  });
