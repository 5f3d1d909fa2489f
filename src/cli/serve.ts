import { hasAnyAccount } from "../store/access/account-entry.ts";
import type { Logger } from "pino";
import type { Database } from "../store/engine/database.ts";
import { jobRunner } from "../store/job/jobs.ts";
import { retryMs } from "../core/backup/schedule.ts";
import { startService, type Service } from "../app/start.ts";
import type { Config } from "../app/config/config.ts";
import { readIdentity } from "../store/transfer/database-identity.ts";
import { waitWords } from "./backup.ts";
import { databaseAt } from "./backup-folder.ts";
import { machineClock } from "./backup-clock.ts";
import { checkBackupFolder, durationOf, numberKept } from "./backup-options.ts";
import { aloneWith } from "./backup-turns.ts";
import { keepBackingUp } from "./keep-backing-up.ts";
import { logWritten, serviceLogger } from "./logger.ts";
import type { Ending } from "./ending.ts";
import { exitStatus, printLine } from "./output.ts";
import { giveSetUpCode, removeAfterFirstAccount, removeSetUpCode, type SetUp } from "./set-up-code.ts";
import { startError } from "./start-errors/start-error.ts";

export interface ServeOptions {
  /** The folder for backups; left out: no backups. */
  readonly backupDir?: string;
  readonly backupEvery: string;
  readonly backupKeep: string;
  /** Accepts another secret than the database's, and gives up values that it does not open. */
  readonly acceptNewSecret: boolean;
  /** True: an empty database may be made beside the files of one that was moved away. */
  readonly newDatabase: boolean;
  readonly json: boolean;
}

/** Serves until a signal, also one during the start. With `json`, prints one line with the address. */
export async function serveCommand(config: Config, options: ServeOptions, ending: Ending): Promise<void> {
  const { json, acceptNewSecret } = options;
  const backUp = backingUp(config, options);
  const log = serviceLogger(config, json ? 2 : 1);
  const { signal } = ending;
  const asked = { acceptNewSecret, isNewDatabase: options.newDatabase, signal };
  const service = await startService(config, log, asked).catch((error: unknown) => {
    // The start ended: nothing is open any more, and nothing was changed.
    if (signal.aborted) process.exit(exitStatus.done);
    throw startError(error, config);
  });
  const backups = backUp(service.database, log, ending.signal);
  const close = async (): Promise<void> => {
    await Promise.all([service.close(), backups]);
  };
  ending.endBy(async () => {
    log.info("closing");
    await close();
    await logWritten(log);
  });
  const setUp = (await service.app.db.read(hasAnyAccount)) ? null : setUpOf(service);
  if (json) {
    const urls = { base_url: service.baseUrl, mcp_url: `${service.baseUrl}/mcp` };
    printLine(JSON.stringify({ ...urls, ...(setUp && { set_up: setUp }) }));
  }
  if (setUp === null) removeSetUpCode(service.setUpCode, config);
  else {
    try {
      giveSetUpCode(setUp, config);
    } catch (error) {
      await close();
      throw error;
    }
    const hasAccount = (): Promise<boolean> => service.app.db.read(hasAnyAccount);
    void removeAfterFirstAccount(setUp.code, config, hasAccount, ending.signal);
  }
}

/** Throws before the start if the options are wrong or the folder cannot be used. */
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
        await keepBackingUp(into, ending, {
          made: ({ file, bytes }) => log.info({ file, bytes }, "a backup was made"),
          failed,
          waits: (ms) => log.warn(`the last attempt to make a backup failed; ${waitWords(ms)}`),
          alone: aloneWith(jobRunner(database)),
        });
      } catch (error) {
        // If the database or the folder cannot be read, the service goes on, and this is tried again.
        failed(error);
        await clock.rest(retryMs, ending);
      }
  };
}

const setUpOf = ({ baseUrl, setUpCode }: Service): SetUp => ({ url: `${baseUrl}/set-up`, code: setUpCode });
