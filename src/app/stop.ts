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
import { stopping } from "../contract/call/refusals.ts";
import { refuseUnread } from "../rest/refusals.ts";
import type { Database } from "../store/engine/database.ts";

export interface RunningService {
  readonly config: Config;
  readonly log: Logger;
  readonly app: AppContext;
  readonly http: FastifyInstance;
  readonly connections: Connections;
  readonly work: Schedule;
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
 * Ends, within a time limit, first what comes in, then work in progress, the database last. Before that it
 * serves for the time in which proxies learn from `/readyz` to send no more requests.
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
  const unanswered = await connections.stop(http, config.stopMs, (reply) =>
    refuseUnread(app, reply, stopping()),
  );
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
