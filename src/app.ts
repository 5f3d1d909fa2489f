import { newestMigrationOf, ping } from "./store/engine/ping.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { peopleOf } from "./account-policy.ts";
import type { Config } from "./config.ts";
import { describedFaces } from "./api-descriptions.ts";
import { contactAddresses } from "./contract/access/contact-addresses.ts";
import { activityLog } from "./contract/call/activity.ts";
import { addressSealer, messageSender } from "./contract/access/message-sender.ts";
import { cursorSeal } from "./contract/endpoint/cursor.ts";
import type { Consents } from "./contract/access/consents.ts";
import type { FetchDocument } from "./contract/files/fetched-document.ts";
import type { AppContext } from "./contract/call/app-context.ts";
import { keyFor, type Sealer } from "./contract/access/sealed.ts";
import { derivedSecret, systemSecrets } from "./contract/access/secrets.ts";
import { afterwards, setUpCode } from "./contract/access/account-policy.ts";
import { securityLog } from "./contract/call/security-log.ts";
import { serviceLog } from "./contract/call/service-log.ts";
import { senderThrottle, type SenderThrottle } from "./contract/limits/sender-throttle.ts";
import type { Instant } from "./core/time.ts";
import type { Schedule } from "./jobs/schedule.ts";
import type { Catalogue } from "./mcp/catalogue/catalogue.ts";
import { serviceConnector, type ServiceConnector } from "./mcp/transport/service-connector.ts";
import { assetFiles } from "./dashboard/asset-files.ts";
import { assets } from "./dashboard/assets.ts";
import { mountDashboard } from "./dashboard/mount.ts";
import { docsPages } from "./dashboard/pages/docs/page.tsx";
import { pages } from "./dashboard/pages/registry.ts";
import { plotCache } from "./dashboard/pages/servers/plot-cache.ts";
import type { Executor } from "./documents/executor.ts";
import { documentReader } from "./documents/reader.ts";
import { workerThreads } from "./documents/worker-threads.ts";
import { moderation } from "./moderation.ts";
import { mountOAuth } from "./oauth/mount.ts";
import { documents } from "./outbound/documents.ts";
import { notifier } from "./outbound/notifier.ts";
import type { Reach } from "./outbound/reach.ts";
import { builtFile, projectVersion } from "./project.ts";
import { countRequests, logRequests } from "./rest/access-log.ts";
import { Connections } from "./rest/connections.ts";
import { httpServer } from "./rest/http-server.ts";
import { bytesOf, isLongBody, receiveBody } from "./rest/body.ts";
import { mountLookups } from "./rest/lookups.ts";
import { mountDocument, mountHealth, mountMetrics, mountProbes } from "./rest/pages.ts";
import { mountRefusals } from "./rest/refusals.ts";
import { callerAddress } from "./rest/client-address.ts";
import { mountEndpoints } from "./rest/routes.ts";
import type { Database } from "./store/engine/database.ts";
import { newestMigration } from "./store/migrations/registry.ts";
import type { OpenMetrics } from "./metrics/open-metrics.ts";
import { closing, openedDatabase, type StartOptions } from "./opened-database.ts";
import { pastDaysCache } from "./services/status-page/past-days.ts";
import { guideText, library, ownCatalogue } from "./offered.ts";
import { defectLog, mailTroubleLog, type DefectLog } from "./defect-log.ts";
import { withRefusalEntries } from "./refusal-log.ts";
import { workOf } from "./started-work.ts";
import { stop } from "./stop.ts";

export interface Service {
  readonly app: AppContext;
  /** Seals the addresses that messages go to. */
  readonly vault: Sealer;
  readonly database: Database;
  readonly http: FastifyInstance;
  /** The address others reach the service at. */
  readonly baseUrl: string;
  /** The port of the metrics; null where they have none of their own. */
  readonly metricsPort: number | null;
  /** What runs without a caller. */
  readonly work: Schedule;
  /** What makes the first account, while there is none. */
  readonly setUpCode: string;
  /** Refuses new connections, lets requests in flight end within the time for it, and then ends everything. */
  close(): Promise<void>;
}

/** What a service of tests replaces, and what may end a start. */
export interface AppReplacements extends Partial<StartOptions> {
  readonly clock?: () => Instant;
  /** Where chat webhooks may lead; the public internet when left out. */
  readonly reach?: Reach;
  /** What the connector offers. */
  readonly catalogue?: Catalogue;
  /** How often the connector looks at what its clients watch, ms. */
  readonly watchEveryMs?: number;
  /** Where documents are read; threads of this process when left out. */
  readonly executor?: Executor;
  /** Limits what a sender costs. */
  readonly throttle?: SenderThrottle;
  /** Gives the start up while the database is upgraded. */
  readonly signal?: AbortSignal;
  /** False: what runs without a caller runs only by `work.run`. */
  readonly timers?: boolean;
}

/** Opens the database, puts the faces over the one door, listens, and starts what runs without a caller. */
export async function startService(
  config: Config,
  log: Logger,
  {
    clock = Date.now,
    reach,
    catalogue = ownCatalogue(),
    watchEveryMs,
    executor = workerThreads(),
    throttle = senderThrottle(),
    timers = true,
    ...asked
  }: AppReplacements = {},
): Promise<Service> {
  const { metrics, seals } = await openedDatabase(config, log, { clock, ...asked });
  const { database } = metrics;
  const sealing = addressSealer(config.secrets());
  const defects = defectLog(log);
  const { failed } = defects;
  const ownLog = serviceLogOf(database, failed);
  const later = afterwards((error) => failed(error, "work after an answer failed"));
  const base = { url: config.baseUrl ?? "" };
  const mailTroubled = mailTroubleLog(log, (why) => ownLog.mailFailed(why, clock()));
  const outside = notifier({ ...config, baseUrl: () => base.url, mailTroubled, ...(reach && { reach }) });
  const secrets = systemSecrets();
  const mailFailed = (message: string, why: string) => log.warn({ message, why }, "a mail did not go out");
  const [activity, security] = [activityLog(database, secrets), securityLog(database, secrets)];
  const app: AppContext = {
    db: database,
    clock,
    plans: config.plans,
    secrets,
    cursors: cursorSeal(config.secrets()),
    get baseUrl() {
      return base.url;
    },
    version: projectVersion,
    isAcceptable: moderation(config.moderation),
    sendMessage: messageSender(sealing, outside),
    contactAddresses: contactAddresses(sealing, outside),
    accountPolicy: peopleOf(config, outside, later.run, mailFailed, secrets, () => base.url),
    throttle,
    pastDays: pastDaysCache(),
    readDocuments: documentReader(executor, metrics.meter),
    activity,
    security: withRefusalEntries(security, log),
    meter: metrics.meter,
    reportDefect: (error, requestId) => failed(error, "a call failed", { requestId }),
  };
  const connections = new Connections();
  const http = httpServer(app, config.trustProxy, connections);
  watchRequests(http, config, log, metrics);
  let stopping = false;
  mountConnector(http, app, { catalogue, secrets: config.secrets(), ...(watchEveryMs && { watchEveryMs }) });
  mountFaces(http, app, database, config, { metrics, damage: defects.damage, isStopping: () => stopping });
  mountPages(http, app, config.secrets(), mountSignIn(http, app, documents(reach), config, log));
  const address = await listening(http, config, metrics);
  base.url ||= address.replace("[::]", "localhost").replace("0.0.0.0", "127.0.0.1");
  const work = workOf(app, { activity, security, serviceLog: ownLog }, seals, { log, failed }, timers);
  log.info({ address, baseUrl: base.url, metricsPort: metrics.port }, "listening");
  await ownLog.started(clock());
  const parts = { activity, security, ownLog, later, outside, executor, database };
  const close = (): Promise<void> => {
    stopping = true;
    return stop({ ...parts, closeMetrics: metrics.close, config, log, app, http, connections, work });
  };
  const known = { baseUrl: base.url, metricsPort: metrics.port, setUpCode: firstCodeOf(config) };
  return { app, vault: sealing, database, http, work, close, ...known };
}

const firstCodeOf = ({ secrets }: Config): string => setUpCode(secrets()[0] ?? "");

const serviceLogOf = (database: Database, failed: DefectLog["failed"]) =>
  serviceLog(database, projectVersion, (error) => failed(error, "the service's log was not written"));

/** Listens, and answers at which address; where that fails, what is open already is closed. */
const listening = (
  http: FastifyInstance,
  { host, port }: Config,
  { database, close }: OpenMetrics,
): Promise<string> =>
  http.listen({ host, port }).catch(async (error: unknown) => {
    await close();
    return closing(database)(error);
  });

function watchRequests(
  http: FastifyInstance,
  { accessLog }: Config,
  log: Logger,
  { countRequest }: OpenMetrics,
): void {
  if (accessLog) logRequests(http, log);
  if (countRequest !== null) countRequests(http, countRequest);
}

interface Watched {
  readonly metrics: OpenMetrics;
  readonly damage: DefectLog["damage"];
  readonly isStopping: () => boolean;
}

function mountFaces(
  http: FastifyInstance,
  app: AppContext,
  database: Database,
  { readyWithFullDisk }: Config,
  { metrics, damage, isStopping }: Watched,
): void {
  for (const [, mounted] of describedFaces) mountEndpoints(http, mounted, app);
  for (const [, mounted, words] of describedFaces) mountDocument(http, app, mounted, words);
  mountHealth(http, app, () => ping(database));
  mountProbes(http, app, {
    newestMigration: () => newestMigrationOf(database),
    ownMigration: newestMigration(),
    damage,
    isStopping,
    refusal: database.refusal,
    isDiskFull: database.isDiskFull,
    readyWithFullDisk,
  });
  if (metrics.route !== null) mountMetrics(http, app, metrics.route);
  mountRefusals(http, app);
}

/** The connector's sign-in: how a person lets a program act for them. */
const mountSignIn = (
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

/** The dashboard: what tokens may never do, and for people who would rather look. */
function mountPages(
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

/** Every method of the connector's one route is the connector's to answer, a wrong one included. */
function mountConnector(
  http: FastifyInstance,
  app: AppContext,
  offered: Pick<ServiceConnector, "catalogue" | "secrets" | "watchEveryMs">,
): void {
  const closing = new AbortController();
  http.addHook("preClose", async () => closing.abort());
  const handle = serviceConnector({ ...offered, app, version: projectVersion, closing: closing.signal });
  mountLookups(http, app);
  http.all("/mcp", async (request, reply) => {
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
  });
}
