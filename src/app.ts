import { ping } from "./store/engine/ping.ts";
import { openDatabase } from "./store/engine/open-database.ts";
import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { peopleOf } from "./account-policy.ts";
import type { Config } from "./config.ts";
import { describedFaces } from "./api-descriptions.ts";
import { contactAddresses } from "./contract/access/contact-addresses.ts";
import { activityLog, type ActivityLog } from "./contract/call/activity.ts";
import { addressSealer, messageSender } from "./contract/access/message-sender.ts";
import { cursorSeal } from "./contract/endpoint/cursor.ts";
import type { Consents } from "./contract/access/consents.ts";
import type { FetchDocument } from "./contract/files/fetched-document.ts";
import type { AppContext } from "./contract/call/app-context.ts";
import { keyFor, type Sealer } from "./contract/access/sealed.ts";
import { derivedSecret, systemSecrets } from "./contract/access/secrets.ts";
import { afterwards, setUpCode } from "./contract/access/account-policy.ts";
import { securityLog, type SecurityLog } from "./contract/call/security-log.ts";
import { serviceLog, type ServiceLog } from "./contract/call/service-log.ts";
import { serverThrottle } from "./contract/limits/server-throttle.ts";
import { within } from "./contract/call/within.ts";
import type { Instant } from "./core/time.ts";
import type { Schedule } from "./jobs/schedule.ts";
import { startWork, type Logs } from "./jobs/work.ts";
import type { Catalogue } from "./mcp/catalogue/catalogue.ts";
import { loadGuides } from "./mcp/catalogue/guides.ts";
import { serviceConnector, type ServiceConnector } from "./mcp/transport/service-connector.ts";
import { assetFiles } from "./dashboard/asset-files.ts";
import { assets } from "./dashboard/assets.ts";
import { mountDashboard } from "./dashboard/mount.ts";
import { docsPages } from "./dashboard/pages/docs/page.tsx";
import { withoutReferences, type Library } from "./dashboard/pages/docs/library.ts";
import { pages } from "./dashboard/pages/registry.ts";
import type { Executor } from "./documents/executor.ts";
import { documentReader } from "./documents/reader.ts";
import { workerThreads } from "./documents/worker-threads.ts";
import { moderation } from "./moderation.ts";
import { mountOAuth } from "./oauth/mount.ts";
import { documents } from "./outbound/documents.ts";
import { notifier, type OpenNotifier } from "./outbound/notifier.ts";
import type { Reach } from "./outbound/reach.ts";
import { projectFolder, projectVersion } from "./project.ts";
import { logRequests, noteToken } from "./rest/access-log.ts";
import { Connections } from "./rest/connections.ts";
import { httpServer } from "./rest/http-server.ts";
import { bytesOf, isLongBody, receiveBody } from "./rest/body.ts";
import { openApiDocument } from "./rest/openapi/document.ts";
import { mountLookups } from "./rest/lookups.ts";
import { mountDocument, mountHealth } from "./rest/pages.ts";
import { mountRefusals, refuseStopping } from "./rest/refusals.ts";
import { callerAddress } from "./rest/client-address.ts";
import { mountEndpoints, mountOtherMethods } from "./rest/routes.ts";
import type { Database } from "./store/engine/database.ts";
import { prompts } from "../resources/prompts/registry.ts";
import { resources } from "../resources/registry.ts";
import { tools } from "../tools/registry.ts";
import { wording } from "../tools/wording.ts";

export interface Service {
  readonly app: AppContext;
  /** Seals the addresses that messages go to. */
  readonly vault: Sealer;
  readonly database: Database;
  readonly http: FastifyInstance;
  /** The address others reach the service at. */
  readonly baseUrl: string;
  /** What runs without a caller. */
  readonly work: Schedule;
  /** What makes the first account, while there is none. */
  readonly setUpCode: string;
  /** Refuses new connections, lets requests in flight end within the time for it, and then ends everything. */
  close(): Promise<void>;
}

/** What a service of tests replaces. */
export interface AppReplacements {
  readonly clock?: () => Instant;
  /** Where chat webhooks may lead; the public internet when left out. */
  readonly reach?: Reach;
  /** What the connector offers. */
  readonly catalogue?: Catalogue;
  /** How often the connector looks at what its clients watch, ms. */
  readonly watchEveryMs?: number;
  /** Where documents are read; threads of this process when left out. */
  readonly executor?: Executor;
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
  }: AppReplacements = {},
): Promise<Service> {
  const database = await openDatabase(config.databaseUrl, (error) =>
    log.error({ err: error }, "an idle database connection was lost"),
  );
  const sealing = addressSealer(config.secrets());
  const later = afterwards((err) => log.error({ err }, "work after an answer failed"));
  const base = { url: config.baseUrl ?? "" };
  const outside = notifier({ ...config, baseUrl: () => base.url, ...(reach && { reach }) });
  const secrets = systemSecrets();
  const mailFailed = (message: string, why: string): void =>
    log.warn({ message, why }, "a mail did not go out");
  const activity = activityLog(database, secrets);
  const security = securityLog(database, secrets);
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
    accountPolicy: peopleOf(config, outside, later.run, mailFailed, secrets),
    throttle: serverThrottle(),
    readDocuments: documentReader(executor),
    activity,
    security,
    reportDefect: (error, requestId) => log.error({ err: error, requestId }, "a call failed"),
  };
  const connections = new Connections();
  const http = httpServer(app, config.trustProxy, connections);
  if (config.accessLog) logRequests(http, log);
  mountConnector(http, app, { catalogue, secrets: config.secrets(), ...(watchEveryMs && { watchEveryMs }) });
  mountFaces(http, app, database);
  mountPages(http, app, config.secrets(), mountSignIn(http, app, documents(reach), config, log));
  const address = await http
    .listen({ host: config.host, port: config.port })
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  base.url ||= address.replace("[::]", "localhost").replace("0.0.0.0", "127.0.0.1");
  const ownLog = serviceLog(database, projectVersion, (error) =>
    log.error({ err: error }, "the service's log was not written"),
  );
  const work = workOf(app, { activity, security, serviceLog: ownLog }, log);
  log.info({ address, baseUrl: base.url }, "listening");
  await ownLog.started(clock());
  const parts = { activity, security, ownLog, later, outside, executor, database };
  const close = (): Promise<void> => stop({ ...parts, config, log, app, http, connections, work });
  const firstCode = setUpCode(config.secrets()[0] ?? "");
  return { app, vault: sealing, database, http, baseUrl: base.url, work, setUpCode: firstCode, close };
}

/** What a running service is made of, as far as it has to be ended. */
interface Running {
  readonly config: Config;
  readonly log: Logger;
  readonly app: AppContext;
  readonly http: FastifyInstance;
  readonly connections: Connections;
  readonly work: Schedule;
  readonly later: Pick<ReturnType<typeof afterwards>, "finished">;
  readonly activity: ActivityLog;
  readonly security: SecurityLog;
  readonly ownLog: ServiceLog;
  readonly outside: Pick<OpenNotifier, "close">;
  readonly executor: Executor;
  readonly database: Database;
}

/** Ends a service within the time for it: first what comes in, then what goes on, the database last. */
async function stop({ config, log, app, http, connections, work, ...parts }: Running): Promise<void> {
  const { later, activity, security, ownLog, outside, executor, database } = parts;
  const began = performance.now();
  const workEnded = work.stop();
  const unanswered = await connections.stop(http, config.stopMs, (reply) => refuseStopping(app, reply));
  if (unanswered > 0) log.warn({ unanswered }, "requests were given up to stop in time");
  const left = Math.max(0, config.stopMs - (performance.now() - began));
  await within(left, Promise.all([workEnded, later.finished()]));
  const lost = (error: unknown): void => log.error({ err: error }, "activity was lost");
  await activity.close(app.clock()).catch(lost);
  await security.flush(app.clock()).catch(lost);
  await ownLog.stopped(app.clock());
  outside.close();
  await executor.close();
  await database.close();
}

/** What runs without a caller, with its failures in the log of this process. */
const workOf = (app: AppContext, logs: Logs, log: Logger): Schedule =>
  startWork(app, {
    ...logs,
    report: (job, error) => log.error({ err: error, job }, "a job failed"),
    undelivered: ({ id, channel }, why) =>
      log.warn({ message: id, channel, why }, "a message did not go out"),
  });

function mountFaces(http: FastifyInstance, app: AppContext, database: Database): void {
  for (const [, mounted] of describedFaces) mountEndpoints(http, mounted, app);
  for (const [, mounted, words] of describedFaces) mountDocument(http, app, mounted, words);
  mountHealth(http, app, () => ping(database));
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
    refuseOtherMethods: (url, taken) => mountOtherMethods(http, url, taken, app),
  });

/** What the documentation's pages are made of. */
const library = (): Library => ({
  references: describedFaces.map(([name, { prefix, endpoints }, words]) => ({
    name,
    prefix,
    document: withoutReferences(openApiDocument({ ...words, serverUrl: prefix }, endpoints)),
  })),
  guides: guides().map(({ content: { text }, definition: { name, title } }) => ({ name, title, text })),
});

const ownCatalogue = (): Catalogue => ({ tools, resources, prompts, guides: guides(), wording });

const guides = () => loadGuides(join(projectFolder, "resources", "guides"));

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
    assets: assets(assetFiles(join(projectFolder, "src", "dashboard", "assets"))),
    csrfKey: keyFor(secrets[0] ?? "", "forms").toString("hex"),
    receive: async (request: FastifyRequest, limit: number) => bytesOf(await receiveBody(request, limit)),
    isLongBody,
    addressOf: (request: FastifyRequest) => callerAddress(request.ip),
    refuseOtherMethods: (url: string, taken: readonly string[]) => mountOtherMethods(http, url, taken, app),
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
      onToken: (tokenId) => noteToken(request, tokenId),
    });
    return reply
      .code(status)
      .headers(headers)
      .send(body ?? "");
  });
}
