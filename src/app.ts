import { join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { addressDesk } from "./contract/address-desk.ts";
import { activityLog, type ActivityLog } from "./contract/activity.ts";
import { courier } from "./contract/courier.ts";
import { cursorSeal } from "./contract/cursor.ts";
import type { Consents } from "./contract/consents.ts";
import type { FetchDocument } from "./contract/documents.ts";
import type { Door } from "./contract/door.ts";
import { oneAtATime } from "./contract/one-at-a-time.ts";
import { keyFor } from "./contract/sealed.ts";
import { systemSecrets } from "./contract/secrets.ts";
import { passwords } from "./contract/passwords.ts";
import { afterwards, setUpCheck, setUpCode, type People } from "./contract/people.ts";
import { serviceLog, type ServiceLog } from "./contract/service-log.ts";
import { serverThrottle } from "./contract/throttle.ts";
import { vault, type Vault } from "./contract/vault.ts";
import type { Instant } from "./core/time.ts";
import { apiEndpoints } from "./endpoints/api/registry.ts";
import { agentEndpoints } from "./endpoints/agent/registry.ts";
import { pluginEndpoints } from "./endpoints/plugin/registry.ts";
import type { Schedule } from "./jobs/schedule.ts";
import { startWork } from "./jobs/work.ts";
import type { Catalogue } from "./mcp/catalogue.ts";
import { loadGuides } from "./mcp/guides.ts";
import { serviceConnector, type ServiceConnector } from "./mcp/service-connector.ts";
import { assetFiles } from "./dashboard/asset-files.ts";
import { assets } from "./dashboard/assets.ts";
import { mountDashboard } from "./dashboard/mount.ts";
import { docsPages } from "./dashboard/pages/docs.tsx";
import type { Library, OpenApi } from "./dashboard/pages/docs/library.ts";
import { pages } from "./dashboard/pages/registry.ts";
import { moderation } from "./moderation.ts";
import { mountOAuth } from "./oauth/mount.ts";
import { documents } from "./outbound/documents.ts";
import { notifier, type OpenNotifier } from "./outbound/notifier.ts";
import type { Reach } from "./outbound/reach.ts";
import { projectFolder, projectVersion } from "./project.ts";
import { apiBodyLimit, httpServer } from "./rest/http-server.ts";
import { bodyOf, bytesOf, refusalOf } from "./rest/body.ts";
import { openApiDocument } from "./rest/openapi.ts";
import { mountLookups } from "./rest/lookups.ts";
import { mountDocument, mountHealth, type DocumentWords } from "./rest/pages.ts";
import { mountRefusals, refuse } from "./rest/refusals.ts";
import { pluginBodyLimit } from "./rest/request-input.ts";
import { callerAddress } from "./rest/client-address.ts";
import { mountEndpoints, mountOtherMethods, type Mounted } from "./rest/routes.ts";
import type { Database } from "./store/database.ts";
import { openDatabase, ping, storesOn } from "./store/stores.ts";
import { prompts } from "../resources/prompts/registry.ts";
import { resources } from "../resources/registry.ts";
import { tools } from "../tools/registry.ts";
import { wording } from "../tools/wording.ts";

/** The interface version of the documented API. */
const apiVersion = "1.0.0";

export interface Service {
  readonly door: Door;
  /** Seals the addresses that people are told at. */
  readonly vault: Vault;
  readonly database: Database;
  readonly http: FastifyInstance;
  /** The address others reach the service at. */
  readonly baseUrl: string;
  /** What runs without a caller. */
  readonly work: Schedule;
  /** What makes the first account, while there is none. */
  readonly setUpCode: string;
  close(): Promise<void>;
}

/** What a service of tests replaces. */
export interface Replaced {
  readonly clock?: () => Instant;
  /** Where chat webhooks may lead; the public internet when left out. */
  readonly reach?: Reach;
  /** What the connector offers. */
  readonly catalogue?: Catalogue;
  /** How often the connector looks at what its clients watch, ms. */
  readonly watchEveryMs?: number;
}

/** Opens the database, puts the faces over the one door, listens, and starts what runs without a caller. */
export async function startService(
  config: Config,
  log: Logger,
  { clock = Date.now, reach, catalogue = ownCatalogue(), watchEveryMs }: Replaced = {},
): Promise<Service> {
  const database = await openDatabase(config.databaseUrl, (error) =>
    log.error({ err: error }, "an idle database connection was lost"),
  );
  const sealing = vault(config.secrets());
  const later = afterwards((err) => log.error({ err }, "work after an answer failed"));
  const base = { url: config.baseUrl ?? "" };
  const outside = notifier({ ...config, baseUrl: () => base.url, ...(reach && { reach }) });
  const [stores, secrets] = [storesOn(database), systemSecrets()];
  const activity = activityLog(stores.activity, secrets);
  const door: Door = {
    stores,
    clock,
    plans: config.plans,
    secrets,
    cursors: cursorSeal(config.secrets()),
    get baseUrl() {
      return base.url;
    },
    version: projectVersion,
    isAcceptable: moderation(config.moderation),
    courier: courier(sealing, outside),
    addresses: addressDesk(sealing, outside),
    people: peopleOf(config, outside, later.run, log),
    throttle: serverThrottle(),
    oneAtATime: oneAtATime(),
    activity,
    reportDefect: (error, requestId) => log.error({ err: error, requestId }, "a call failed"),
  };
  const http = httpServer(door, config.trustProxy);
  mountConnector(http, door, { catalogue, secrets: config.secrets(), ...(watchEveryMs && { watchEveryMs }) });
  mountFaces(http, door, database);
  const consents = mountSignIn(http, door, documents(reach));
  mountPages(http, door, config.secrets(), consents);
  const address = await http
    .listen({ host: config.host, port: config.port })
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  base.url ||= address.replace("[::]", "localhost").replace("0.0.0.0", "127.0.0.1");
  const ownLog = serviceLog(stores, projectVersion, (error) =>
    log.error({ err: error }, "the service's log was not written"),
  );
  const work = workOf(door, activity, ownLog, log);
  log.info({ address, baseUrl: base.url }, "listening");
  await ownLog.started(clock());
  const close = async (): Promise<void> => {
    await http.close();
    await work.stop();
    await later.finished();
    await activity.close(clock()).catch((error: unknown) => log.error({ err: error }, "activity was lost"));
    await ownLog.stopped(clock());
    outside.close();
    await database.close();
  };
  const firstCode = setUpCode(config.secrets()[0] ?? "");
  return { door, vault: sealing, database, http, baseUrl: base.url, work, setUpCode: firstCode, close };
}

function peopleOf(config: Config, { send }: OpenNotifier, later: People["afterwards"], log: Logger): People {
  const mail: People["mail"] = async (address, message, id) => {
    const result = await send("email", address, message, id);
    if (result.status === "failed") log.warn({ message: id, why: result.detail }, "a mail did not go out");
    return result;
  };
  return {
    signUp: config.signUp,
    passwords: passwords(),
    mail: config.smtpUrl === null ? null : mail,
    afterwards: later,
    isSetUpCode: setUpCheck(config.secrets()),
  };
}

/** What runs without a caller, with its failures in the log of this process. */
const workOf = (door: Door, activity: ActivityLog, ownLog: ServiceLog, log: Logger): Schedule =>
  startWork(door, {
    activity,
    serviceLog: ownLog,
    report: (job, error) => log.error({ err: error, job }, "a job failed"),
    undelivered: ({ id, channel }, why) =>
      log.warn({ message: id, channel, why }, "a message did not go out"),
  });

const api: Mounted = { prefix: "/api/v1", endpoints: apiEndpoints, bodyLimit: apiBodyLimit };
const agent: Mounted = { prefix: "/agent/v1", endpoints: agentEndpoints, bodyLimit: pluginBodyLimit };
const plugin: Mounted = { prefix: "/plugin/v1", endpoints: pluginEndpoints, bodyLimit: pluginBodyLimit };

/** Every face that has a description, by the name of its page in the documentation. */
const described: readonly (readonly [name: string, mounted: Mounted, words: DocumentWords])[] = [
  [
    "api",
    api,
    {
      title: "Tickmark API",
      description:
        "Benchmark reports and monitoring of game servers, read and narrowly changed with a token.",
      version: apiVersion,
    },
  ],
  [
    "plugin",
    plugin,
    {
      title: "Tickmark plugin API",
      description: "How game servers send heartbeats, measurements and reports.",
      version: apiVersion,
    },
  ],
  [
    "runner",
    agent,
    {
      title: "Tickmark runner API",
      description: "How the machines that run scheduled benchmarks take their jobs and tell how they go.",
      version: apiVersion,
    },
  ],
];

function mountFaces(http: FastifyInstance, door: Door, database: Database): void {
  for (const mounted of [api, plugin, agent]) mountEndpoints(http, mounted, door);
  for (const [, mounted, words] of described) mountDocument(http, door, mounted, words);
  mountHealth(http, door, () => ping(database));
  mountRefusals(http, door);
}

/** The connector's sign-in: how a person lets a program act for them. */
const mountSignIn = (http: FastifyInstance, door: Door, fetchDocument: FetchDocument): Consents =>
  mountOAuth(http, {
    door,
    fetchDocument,
    bytesOf: (request) => bytesOf(bodyOf(request)),
    addressOf: (request) => callerAddress(request.ip),
    refuseOtherMethods: (url, taken) => mountOtherMethods(http, url, taken, door),
  });
/** What the documentation's pages are made of. */
const library = (): Library => ({
  references: described.map(([name, { prefix, endpoints }, words]) => ({
    name,
    prefix,
    // Sound: the pages read what this function writes; a test looks at every page.
    document: openApiDocument({ ...words, serverUrl: prefix }, endpoints) as unknown as OpenApi,
  })),
  guides: guides().map(({ content: { text }, definition: { name, title } }) => ({ name, title, text })),
});

const ownCatalogue = (): Catalogue => ({ tools, resources, prompts, guides: guides(), wording });

const guides = () => loadGuides(join(projectFolder, "resources", "guides"));

/** The dashboard: what tokens may never do, and for people who would rather look. */
function mountPages(http: FastifyInstance, door: Door, secrets: readonly string[], consents: Consents): void {
  const around = {
    door,
    consents,
    assets: assets(assetFiles(join(projectFolder, "src", "dashboard", "assets"))),
    csrfKey: keyFor(secrets[0] ?? "", "forms").toString("hex"),
    bytesOf: (request: FastifyRequest) => bytesOf(bodyOf(request)),
    addressOf: (request: FastifyRequest) => callerAddress(request.ip),
    refuseOtherMethods: (url: string, taken: readonly string[]) => mountOtherMethods(http, url, taken, door),
  };
  mountDashboard(http, around, [...pages, ...docsPages(library)]);
}

/** Every method of the connector's one route is the connector's to answer, a wrong one included. */
function mountConnector(
  http: FastifyInstance,
  door: Door,
  offered: Pick<ServiceConnector, "catalogue" | "secrets" | "watchEveryMs">,
): void {
  const closing = new AbortController();
  http.addHook("preClose", async () => closing.abort());
  const handle = serviceConnector({ ...offered, door, version: projectVersion, closing: closing.signal });
  mountLookups(http, door);
  http.all("/mcp", async (request, reply) => {
    const sent = bodyOf(request);
    if (sent !== null && !Buffer.isBuffer(sent)) return refuse(door, request, reply, refusalOf(sent));
    const { status, headers, body } = await handle({
      method: request.method,
      url: request.url,
      headers: request.headers,
      rawHeaders: request.raw.rawHeaders,
      body: sent,
      address: callerAddress(request.ip),
      requestId: request.id,
    });
    return reply
      .code(status)
      .headers(headers)
      .send(body ?? "");
  });
}
