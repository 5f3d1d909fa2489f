import { newestMigrationOf, ping } from "../store/engine/ping.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { describedFaces } from "./faces.ts";
import type { Consents } from "../contract/call/consents.ts";
import type { FetchDocument } from "../contract/files/fetched-document.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { keyFor } from "./access/sealed.ts";
import { derivedSecret } from "./access/secrets.ts";
import { serviceConnector, type ServiceConnector } from "../mcp/transport/service-connector.ts";
import { assetFiles } from "../dashboard/asset-files.ts";
import { assets } from "../dashboard/assets.ts";
import { mountDashboard } from "../dashboard/mount.ts";
import { docsPages } from "../dashboard/pages/docs/page.tsx";
import { pages } from "../dashboard/pages/registry.ts";
import { plotCache } from "../dashboard/pages/servers/plot-cache.ts";
import { mountOAuth } from "../oauth/mount.ts";
import { builtFile, projectVersion } from "../program/program-files.ts";
import { countRequests, logRequests } from "../rest/access-log.ts";
import { bytesOf, isLongBody, receiveBody } from "../rest/body.ts";
import { mountLookups } from "../rest/lookups.ts";
import { mountDocument, mountHealth, mountMetrics, mountProbes } from "../rest/pages.ts";
import { mountRefusals } from "../rest/refusals.ts";
import { callerAddress } from "../rest/client-address.ts";
import { mountEndpoints } from "../rest/routes.ts";
import type { Database } from "../store/engine/database.ts";
import { newestMigration } from "../store/migrations/registry.ts";
import type { OpenMetrics } from "../metrics/open-metrics.ts";
import { guideText, library } from "./catalogue.ts";
import type { DefectLog } from "./logs/defect-log.ts";

export function watchRequests(
  http: FastifyInstance,
  { accessLog }: Config,
  log: Logger,
  { countRequest }: OpenMetrics,
): void {
  if (accessLog) logRequests(http, log);
  if (countRequest !== null) countRequests(http, countRequest);
}

interface Mounting {
  readonly metrics: OpenMetrics;
  readonly damage: DefectLog["damage"];
  readonly isStopping: () => boolean;
  readonly shedsLoad: () => boolean;
}

export function mountFaces(
  http: FastifyInstance,
  app: AppContext,
  database: Database,
  { readyWithFullDisk }: Config,
  { metrics, damage, isStopping, shedsLoad }: Mounting,
): void {
  for (const [, mounted] of describedFaces) mountEndpoints(http, mounted, app);
  for (const [, mounted, words] of describedFaces) mountDocument(http, app, mounted, words);
  mountHealth(http, app, () => ping(database));
  mountProbes(http, app, {
    newestMigration: () => newestMigrationOf(database),
    ownMigration: newestMigration(),
    damage,
    isStopping,
    shedsLoad,
    refusal: database.refusal,
    isDiskFull: database.isDiskFull,
    readyWithFullDisk,
  });
  if (metrics.route !== null) mountMetrics(http, app, metrics.route);
  mountRefusals(http, app);
}

export const mountSignIn = (
  http: FastifyInstance,
  app: AppContext,
  fetchDocument: FetchDocument,
  { clientDocuments, secrets }: Config,
  log: Logger,
): Consents =>
  mountOAuth(http, {
    app,
    fetchDocument,
    receive: async (request) => bytesOf(await receiveBody(request)),
    clientDocuments,
    documentFailed: (host, reason) =>
      log.warn({ host, reason }, "a program's metadata document was not fetched"),
    successorOf: derivedSecret("api", keyFor(secrets()[0] ?? "", "successors of refresh tokens")),
    addressOf: (request) => callerAddress(request.ip),
  });

export function mountPages(
  http: FastifyInstance,
  app: AppContext,
  secrets: readonly string[],
  consents: Consents,
): void {
  const deps = {
    app,
    consents,
    plots: plotCache(),
    guideText,
    assets: assets(assetFiles(builtFile("browser"))),
    csrfKey: keyFor(secrets[0] ?? "", "forms").toString("hex"),
    receive: async (request: FastifyRequest, limit: number) => bytesOf(await receiveBody(request, limit)),
    isLongBody,
    addressOf: (request: FastifyRequest) => callerAddress(request.ip),
  };
  mountDashboard(http, deps, [...pages, ...docsPages(library)]);
}

/** The connector answers every method of its route, also a wrong one. */
export function mountConnector(
  http: FastifyInstance,
  app: AppContext,
  offered: Pick<ServiceConnector, "catalogue" | "secrets" | "watchEveryMs">,
): void {
  const closing = new AbortController();
  http.addHook("preClose", async () => closing.abort());
  const handle = serviceConnector({ ...offered, app, version: projectVersion, closing: closing.signal });
  mountLookups(http, app);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const receive = async () => bytesOf(await receiveBody(request));
    const { status, headers, body } = await handle({
      method: request.method,
      url: request.url,
      headers: request.headers,
      rawHeaders: request.raw.rawHeaders,
      body: isLongBody(request) ? receive : await receive(),
      address: callerAddress(request.ip),
      requestId: request.id,
      onToken: (tokenId) => {
        request.tokenId = tokenId;
      },
    });
    return reply
      .code(status)
      .headers(headers)
      .send(body ?? "");
  };
  // Some clients end every address with a slash; a redirect would lose what they send.
  for (const url of ["/mcp", "/mcp/"]) http.all(url, async (request, reply) => answer(request, reply));
}
