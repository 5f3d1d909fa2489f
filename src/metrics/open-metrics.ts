import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Database } from "../store/engine/database.ts";
import { serviceMetrics, withoutMetrics, type Exposition, type ServiceMetrics } from "./service-metrics.ts";

/** The settings of the configuration that say where the metrics are. */
export interface MetricsConfig {
  readonly host: string;
  /** Null: no port of their own. */
  readonly metricsPort: number | null;
  /** Null: whoever reaches the port may read them. */
  readonly metricsToken: string | null;
}

export interface OpenMetrics extends ServiceMetrics {
  /** How the service's own port answers scrapes; null where it does not. */
  readonly route: {
    readonly isAllowed: (authorization: string | null) => boolean;
    readonly expose: () => Promise<Exposition>;
  } | null;
  /** The port of their own that was taken; null without one. */
  readonly port: number | null;
  close(): Promise<void>;
}

/** Measures where a port or a token is set, and answers scrapes on the port, or else through `route`. */
export async function openMetrics(
  { host, metricsPort, metricsToken }: MetricsConfig,
  database: Database,
  clock: () => number,
  version: string,
): Promise<OpenMetrics> {
  if (metricsPort === null && metricsToken === null)
    return { ...withoutMetrics(database), route: null, port: null, close: async () => {} };
  const metrics = serviceMetrics(database, clock, version);
  const isAllowed = allowed(metricsToken);
  if (metricsPort === null)
    return { ...metrics, route: { isAllowed, expose: metrics.expose }, port: null, close: async () => {} };
  const server = await listening(scrapeServer(isAllowed, metrics.expose), host, metricsPort);
  const address = server.address();
  return {
    ...metrics,
    route: null,
    port: typeof address === "object" && address !== null ? address.port : metricsPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares digests, which takes the same time whatever was sent. */
function allowed(token: string | null): (authorization: string | null) => boolean {
  if (token === null) return () => true;
  const expected = digest(`Bearer ${token}`);
  return (authorization) => timingSafeEqual(digest(authorization ?? ""), expected);
}

/** A client has this long for a request, ms; a scraper sends a few hundred bytes. */
const requestTimeoutMs = 5000;

/** Answers GET and HEAD of /metrics, and nothing else. */
function scrapeServer(
  isAllowed: (authorization: string | null) => boolean,
  expose: () => Promise<Exposition>,
): Server {
  return createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    const end = (status: number, type: string, text: string): void => {
      response.writeHead(status, {
        "content-type": type,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...(status === 401 && { "www-authenticate": "Bearer" }),
        ...(status === 405 && { allow: "GET, HEAD" }),
      });
      response.end(request.method === "HEAD" ? "" : text);
    };
    const plain = "text/plain; charset=utf-8";
    if (request.url?.split("?", 1)[0] !== "/metrics") end(404, plain, "Metrics are at /metrics.\n");
    else if (request.method !== "GET" && request.method !== "HEAD")
      end(405, plain, "Read this page with GET.\n");
    else if (!isAllowed(request.headers.authorization ?? null))
      end(401, plain, "Send the token of TICKMARK_METRICS_TOKEN in the header Authorization: Bearer.\n");
    else
      expose().then(
        ({ contentType, text }) => end(200, contentType, text),
        () => end(500, plain, "The metrics could not be read.\n"),
      );
  });
}

const listening = (server: Server, host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve(server));
  });
