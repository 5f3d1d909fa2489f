import type { FastifyInstance } from "fastify";
import type { AppContext } from "../contract/call/app-context.ts";
import { asRefusal, migrating, stopping } from "../contract/call/refusals.ts";
import { Refusal, Unavailable } from "../core/errors.ts";
import { openApiDocument } from "./openapi/document.ts";
import { refuse, rateWindowViews } from "./refusals.ts";
import { commonHeaders, refusalAnswer } from "./reply.ts";
import { send, type Mounted } from "./routes.ts";

/** A page that needs no token and is not counted; its answer has rate headers like any other. */
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

export interface Probes {
  /** The id of the newest migration in the database; rejects while the database does not answer. */
  readonly newestMigration: () => Promise<number>;
  readonly ownMigration: number;
  /** Null if no damage is known. */
  readonly damage: () => Unavailable | null;
  readonly isStopping: () => boolean;
  /** Null unless writing to the database was given up. */
  readonly refusal: () => Unavailable | null;
  readonly isDiskFull: () => boolean;
  /** Whether calls are refused because others wait too long. */
  readonly shedsLoad: () => boolean;
  /** Whether `/readyz` is 200 with a full disk: reads are still answered. */
  readonly readyWithFullDisk: boolean;
}

const degradedByDisk = {
  status: "degraded",
  degraded: "disk",
  message: "The disk of the service's database is full: reads are answered, and changes are refused.",
};

const degradedByLoad = {
  status: "degraded",
  degraded: "load",
  message: "Calls wait too long: those that are easiest to repeat are refused.",
};

/**
 * `/livez` ignores the database: restarting a live process only adds to its outage. `/readyz` tells whether
 * requests may be sent here. Neither reads or shows rate windows.
 */
export function mountProbes(
  http: FastifyInstance,
  app: AppContext,
  {
    newestMigration,
    ownMigration,
    damage,
    isStopping,
    refusal,
    isDiskFull,
    shedsLoad,
    readyWithFullDisk,
  }: Probes,
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
    if (!isDiskFull()) return shedsLoad() ? degradedByLoad : fine;
    if (!readyWithFullDisk) throw new Unavailable(null, "full");
    return degradedByDisk;
  };
  mountProbe(http, app, "/livez", async () => fine);
  mountProbe(http, app, "/readyz", checkReady);
}

function mountProbe(http: FastifyInstance, app: AppContext, url: string, check: () => Promise<object>): void {
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

/** An answer of the database stands for the probes of this time, ms: anybody may send as many as they like. */
const freshMs = 50;

/** `ping` rejects while the database does not answer. */
export function mountHealth(http: FastifyInstance, app: AppContext, ping: () => Promise<unknown>): void {
  let answeredAt = -Infinity;
  mountProbe(http, app, "/healthz", async () => {
    if (performance.now() - answeredAt < freshMs) return fine;
    await ping().catch((error: unknown) => {
      throw error instanceof Unavailable ? error : new Unavailable(error);
    });
    answeredAt = performance.now();
    return fine;
  });
}
