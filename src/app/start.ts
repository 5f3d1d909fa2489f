import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import { type Sealer } from "./access/sealed.ts";
import { setUpCode } from "./access/set-up-code.ts";
import { senderThrottle, type SenderThrottle } from "../contract/limits/sender-throttle.ts";
import type { Instant } from "../core/time.ts";
import type { Schedule } from "../jobs/schedule.ts";
import type { Catalogue } from "../mcp/catalogue/catalogue.ts";
import { ownParts } from "./own-parts.ts";
import { mountConnector, mountFaces, mountPages, mountSignIn, watchRequests } from "./mount.ts";
import type { Executor } from "../documents/executor.ts";
import { workerThreads } from "../documents/worker-threads.ts";
import { documents } from "../outbound/documents.ts";
import type { Reach } from "../outbound/reach.ts";
import { Connections } from "../rest/connections.ts";
import { Overload } from "../rest/shed-load.ts";
import { waitsNow } from "../rest/waits.ts";
import { httpServer } from "../rest/http-server.ts";
import type { Database } from "../store/engine/database.ts";
import type { OpenMetrics } from "../metrics/open-metrics.ts";
import { closing, openedDatabase, type StartOptions } from "./opened-database.ts";
import { ownCatalogue } from "./catalogue.ts";
import { workOf } from "./started-work.ts";
import { stop } from "./stop.ts";

export interface Service {
  readonly app: AppContext;
  /** Seals the addresses that messages go to. */
  readonly vault: Sealer;
  readonly database: Database;
  readonly http: FastifyInstance;
  /** The public address. */
  readonly baseUrl: string;
  /** Null: the metrics have no port of their own. */
  readonly metricsPort: number | null;
  /** Jobs that run without a caller. */
  readonly work: Schedule;
  /** The code that makes the first account. */
  readonly setUpCode: string;
  /** Refuses new connections, lets requests in flight end within their time, then ends everything. */
  close(): Promise<void>;
}

/** For tests, except for the options of a start and `signal`. */
export interface AppReplacements extends Partial<StartOptions> {
  readonly clock?: () => Instant;
  /** Where chat webhooks may lead; the public internet if undefined. */
  readonly reach?: Reach;
  readonly catalogue?: Catalogue;
  /** How often the connector checks what its clients watch, ms. */
  readonly watchEveryMs?: number;
  /** Reads documents; threads of this process if undefined. */
  readonly executor?: Executor;
  readonly throttle?: SenderThrottle;
  /** Aborts the start while the database is upgraded. */
  readonly signal?: AbortSignal;
  /** False: jobs run only by `work.run`. */
  readonly timers?: boolean;
}

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
  const { metrics, seals, replica } = await openedDatabase(config, log, { clock, ...asked });
  const { database } = metrics;
  const parts = ownParts(config, log, { metrics, replica, clock, executor, throttle, reach });
  const { app, base, defects, sealing, activity, security, ownLog } = parts;
  const connections = new Connections();
  const overload = new Overload(() => waitsNow(database.connections()));
  const http = httpServer(app, config.trustProxy, connections, overload);
  watchRequests(http, config, log, metrics);
  let stopping = false;
  mountConnector(http, app, { catalogue, secrets: config.secrets(), ...(watchEveryMs && { watchEveryMs }) });
  mountFaces(http, app, database, config, {
    metrics,
    damage: defects.damage,
    isStopping: () => stopping,
    shedsLoad: () => overload.isOn,
  });
  mountPages(http, app, config.secrets(), mountSignIn(http, app, documents(reach), config, log));
  const address = await listening(http, config, metrics);
  base.url ||= address.replace("[::]", "localhost").replace("0.0.0.0", "127.0.0.1");
  const work = workOf(
    app,
    { activity, security, serviceLog: ownLog },
    seals,
    { log, failed: defects.failed },
    timers,
  );
  log.info({ address, baseUrl: base.url, metricsPort: metrics.port }, "listening");
  await ownLog.started(clock());
  const close = (): Promise<void> => {
    stopping = true;
    return stop({
      ...parts,
      database,
      executor,
      closeMetrics: metrics.close,
      config,
      log,
      http,
      connections,
      work,
    });
  };
  const known = { baseUrl: base.url, metricsPort: metrics.port, setUpCode: firstCodeOf(config) };
  return { app, vault: sealing, database, http, work, close, ...known };
}

const firstCodeOf = ({ secrets }: Config): string => setUpCode(secrets()[0] ?? "");

/** If it fails, everything that is open already is closed. */
const listening = (
  http: FastifyInstance,
  { host, port }: Config,
  { database, close }: OpenMetrics,
): Promise<string> =>
  http.listen({ host, port }).catch(async (error: unknown) => {
    await close();
    return closing(database)(error);
  });
