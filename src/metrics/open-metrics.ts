import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Database, ReplicaState } from "../store/engine/database.ts";
import { serviceMetrics, withoutMetrics, type Exposition, type ServiceMetrics } from "./service-metrics.ts";

export interface MetricsConfig {
  readonly host: string;
  /** Null for no separate port. */
  readonly metricsPort: number | null;
  /** Null: anybody who reaches the port may read them. */
  readonly metricsToken: string | null;
}

export interface OpenMetrics extends ServiceMetrics {
  /** Answers scrapes on the service's own port; null if that port does not answer them. */
  readonly route: {
    readonly isAllowed: (authorization: string | null) => boolean;
    readonly expose: () => Promise<Exposition>;
  } | null;
  /** The separate port in use; null for none. */
  readonly port: number | null;
  close(): Promise<void>;
}

/** Measures if a port or a token is set; answers scrapes on that port, or else through `route`. `replica`: null without one. */
export async function openMetrics(
  { host, metricsPort, metricsToken }: MetricsConfig,
  database: Database,
  clock: () => number,
  version: string,
  replica: ReplicaState | null = null,
): Promise<OpenMetrics> {
  if (metricsPort === null && metricsToken === null)
    return { ...withoutMetrics(database), route: null, port: null, close: async () => {} };
  const metrics = serviceMetrics(database, clock, version, replica);
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

/** Comparing digests takes the same time for every token. */
function allowed(token: string | null): (authorization: string | null) => boolean {
  if (token === null) return () => true;
  const expected = digest(`Bearer ${token}`);
  return (authorization) => timingSafeEqual(digest(authorization ?? ""), expected);
}

/** A client has this long for a request, ms; a scraper sends a few hundred bytes. */
const requestTimeoutMs = 5000;

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
