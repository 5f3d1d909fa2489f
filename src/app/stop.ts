import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import type { ActivityLog } from "./logs/activity.ts";
import type { AppContext } from "../contract/call/app-context.ts";
import type { SecurityLog } from "./logs/security-log.ts";
import type { ServiceLog } from "./logs/service-log.ts";
import type { afterwards } from "./afterwards.ts";
import { within } from "../rest/within.ts";
import type { Executor } from "../documents/executor.ts";
import type { Schedule } from "../jobs/schedule.ts";
import type { OpenNotifier } from "../outbound/notifier.ts";
import type { Connections } from "../rest/connections.ts";
import { refuseStopping } from "../rest/refusals.ts";
import type { Database } from "../store/engine/database.ts";

/** What a running service is made of, as far as it has to be ended. */
export interface RunningService {
  readonly config: Config;
  readonly log: Logger;
  readonly app: AppContext;
  readonly http: FastifyInstance;
  readonly connections: Connections;
  readonly work: Schedule;
  /** Ends the answers to scrapes on a port of their own. */
  readonly closeMetrics: () => Promise<void>;
  readonly later: Pick<ReturnType<typeof afterwards>, "finished">;
  readonly activity: ActivityLog;
  readonly security: SecurityLog;
  readonly ownLog: ServiceLog;
  readonly outside: Pick<OpenNotifier, "close">;
  readonly executor: Executor;
  readonly database: Database;
}

/**
 * Ends a service within the time for it: first what comes in, then what goes on, the database last. Before that it
 * serves on for the time in which a proxy learns from `/readyz` that no more requests should come here.
 */
export async function stop({
  config,
  log,
  app,
  http,
  connections,
  work,
  ...parts
}: RunningService): Promise<void> {
  const { later, activity, security, ownLog, outside, executor, database, closeMetrics } = parts;
  if (config.drainMs > 0) {
    log.info({ drainMs: config.drainMs }, "serving on until proxies send no more requests");
    await delay(config.drainMs);
  }
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
  await closeMetrics();
  outside.close();
  await executor.close();
  await database.close();
}
