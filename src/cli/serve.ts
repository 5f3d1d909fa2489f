import { hasAnyAccount } from "../store/access/account-entry.ts";
import type { Logger } from "pino";
import type { Database } from "../store/engine/database.ts";
import { jobRunner } from "../store/job/jobs.ts";
import { retryMs } from "../core/backup/schedule.ts";
import { startService, type Service } from "../app.ts";
import type { Config } from "../config.ts";
import { readIdentity } from "../store/transfer/database-identity.ts";
import { formerWords, waitWords } from "./backup.ts";
import { databaseAt, formerBackups } from "./backup-folder.ts";
import { machineClock } from "./backup-clock.ts";
import { checkBackupFolder, durationOf, numberKept } from "./backup-options.ts";
import { aloneWith } from "./backup-turns.ts";
import { keepBackingUp } from "./keep-backing-up.ts";
import { serviceLogger } from "./logger.ts";
import { CommandError, exitStatus, printError, printLine } from "./output.ts";
import { giveSetUpCode, removeSetUpCode, type SetUp } from "./set-up-code.ts";

export interface ServeOptions {
  /** Where backups are made while it serves; left out: nowhere. */
  readonly backupDir?: string;
  readonly backupEvery: string;
  readonly backupKeep: string;
  /** Accepts another secret than the one of the database, and gives up what it does not open. */
  readonly acceptNewSecret: boolean;
  /** True: an empty database is made also beside the files of one that was moved away. */
  readonly newDatabase: boolean;
  readonly json: boolean;
}

/** Serves until a signal to end. With `json`, one line holds the address once it answers. */
export async function serveCommand(config: Config, options: ServeOptions): Promise<void> {
  const { json, acceptNewSecret } = options;
  const backUp = backingUp(config, options);
  const log = serviceLogger(config, json ? 2 : 1);
  const isNewDatabase = options.newDatabase;
  const service = await startService(config, log, { acceptNewSecret, isNewDatabase }).catch(
    (error: unknown) => {
      throw mendable(error, config);
    },
  );
  const ending = new AbortController();
  const backups = backUp(service.database, log, ending.signal);
  closeOnSignal(async () => {
    log.info("closing");
    ending.abort();
    await Promise.all([service.close(), backups]);
  }, config.drainMs + config.stopMs);
  const setUp = (await service.app.db.read(hasAnyAccount)) ? null : setUpOf(service);
  if (json) {
    const urls = { base_url: service.baseUrl, mcp_url: `${service.baseUrl}/mcp` };
    printLine(JSON.stringify({ ...urls, ...(setUp && { set_up: setUp }) }));
  }
  if (setUp === null) removeSetUpCode(service.setUpCode, config);
  else giveSetUpCode(setUp, config);
}

/** Backups while it serves, as the options say; wrong options and a folder that cannot be used end the start. */
function backingUp(
  { databaseUrl: url }: Config,
  { backupDir: folder, backupEvery, backupKeep }: ServeOptions,
): (database: Database, log: Logger, ending: AbortSignal) => Promise<void> {
  const [everyMs, keep] = [
    durationOf("--backup-every", backupEvery),
    numberKept("--backup-keep", backupKeep),
  ];
  if (folder === undefined) return async () => {};
  checkBackupFolder(folder);
  return async (database, log, ending) => {
    const failed = (error: unknown): void => log.error({ err: error }, "a backup could not be made");
    const clock = machineClock();
    while (!ending.aborted)
      try {
        const into = { folder, keep, everyMs, database: databaseAt(url, await readIdentity(url)) };
        const former = formerBackups(folder);
        if (former > 0) log.info({ folder }, formerWords(former, folder));
        await keepBackingUp(into, ending, {
          made: ({ file, bytes }) => log.info({ file, bytes }, "a backup was made"),
          failed,
          waits: (ms) => log.warn(`the last attempt to make a backup failed; ${waitWords(ms)}`),
          alone: aloneWith(jobRunner(database)),
        });
      } catch (error) {
        // The database or the folder cannot be read: the service goes on, and so does the attempt.
        failed(error);
        await clock.rest(retryMs, ending);
      }
  };
}

const setUpOf = ({ baseUrl, setUpCode }: Service): SetUp => ({ url: `${baseUrl}/set-up`, code: setUpCode });

/** Turns known errors of a start into messages that say what to do; returns other errors unchanged. */
function mendable(error: unknown, { host, port: ownPort, metricsPort }: Config): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const port = error instanceof Error && "port" in error ? error.port : ownPort;
  const variable = port !== ownPort && port === metricsPort ? "TICKMARK_METRICS_PORT" : "TICKMARK_PORT";
  if (code === "EADDRINUSE")
    return new CommandError(`Port ${port} of ${host} is in use. Set ${variable} to another port.`);
  if (code === "EACCES")
    return new CommandError(`This user may not use port ${port}. Set ${variable} to another port.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new CommandError(`TICKMARK_HOST takes an address of this machine, not ${host}.`, exitStatus.usage);
  }
  if (code === "SQLITE_NOTADB") {
    return new CommandError(
      "TICKMARK_DATABASE_URL names a file that is not an SQLite database.",
      exitStatus.usage,
    );
  }
  return error;
}

/** The process ends so long after the time for requests in flight at the latest, ms. */
const afterRequestsMs = 800;

/**
 * The same signal within this time does not count as a second one, ms: on Ctrl-C a terminal signals every process of its
 * group, and npm passes its own signal on to the process that it runs.
 */
const sameSignalMs = 1000;

/** Ends in order on the first signal, within `withinMs` and a second, and at once on a second one. */
export function closeOnSignal(close: () => Promise<void>, withinMs: number): void {
  let signalledAt: number | null = null;
  const end = (): void => {
    if (signalledAt !== null) {
      if (performance.now() - signalledAt >= sameSignalMs) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    setTimeout(() => {
      printError("The requests in progress did not end in time, and were dropped.");
      process.exit(0);
    }, withinMs + afterRequestsMs);
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}
