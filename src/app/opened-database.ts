import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import { checkSecret, type CheckedSecret } from "./access/check-secret.ts";
import type { StoredSeals } from "./access/stored-seals.ts";
import type { Instant } from "../core/time.ts";
import { openMetrics, type OpenMetrics } from "../metrics/open-metrics.ts";
import { projectVersion } from "../program/program-files.ts";
import type { Database, LateReads } from "../store/engine/database.ts";
import { lateReads, openDatabase, openReadReplica } from "../store/engine/open-database.ts";

export interface StartOptions {
  /** Accepts a secret that is not that of the database, and gives up what it does not open. */
  readonly acceptNewSecret: boolean;
  /** Makes an empty database even beside the files of one that was moved away. */
  readonly isNewDatabase: boolean;
}

interface Opening extends Partial<StartOptions> {
  readonly clock: () => Instant;
  /** Aborts an upgrade. */
  readonly signal?: AbortSignal | undefined;
}

export interface OpenedDatabase {
  readonly metrics: OpenMetrics;
  readonly seals: StoredSeals;
  readonly replica: LateReads;
}

/** Throws SecretRefused for a secret that is not that of the database. */
export async function openedDatabase(
  config: Config,
  log: Logger,
  { clock, acceptNewSecret = false, isNewDatabase = false, signal }: Opening,
): Promise<OpenedDatabase> {
  const {
    databaseUrl,
    databaseReadUrl: readUrl,
    secretPlace: place,
    presentSecrets: present,
    secrets: made,
  } = config;
  // Where no secret may be made, the start is refused before the database is opened and upgraded.
  if (!databaseUrl.startsWith("sqlite:")) made();
  const primary = await openDatabase(
    databaseUrl,
    (error) => log.error({ err: error }, "an idle database connection was lost"),
    {
      isNew: isNewDatabase,
      onLeftBehind: (words) => log.warn(words),
      tell: (level, words) => log[level](words),
      signal,
    },
  );
  let opened: Database = primary;
  try {
    const read =
      readUrl === null
        ? null
        : await openReadReplica(databaseUrl, readUrl, (level, words) => log[level](words));
    if (read)
      opened = { ...primary, close: async () => void (await Promise.all([read.close(), primary.close()])) };
    const checked = await checkSecret(opened, { place, present, made }, acceptNewSecret, clock());
    tell(checked, acceptNewSecret, log);
    const metrics = await openMetrics(config, opened, clock, projectVersion, read);
    return { seals: checked.seals, metrics, replica: lateReads(metrics.database, read) };
  } catch (error) {
    return closing(opened)(error);
  }
}

function tell({ earlier, closed, isNew, seals }: CheckedSecret, accept: boolean, log: Logger): void {
  if (isNew)
    log.warn(
      { unreadable: closed },
      "another secret was accepted: start without --accept-new-secret from now on",
    );
  else if (accept) log.info("--accept-new-secret had nothing to accept: start without it");
  if (earlier > 0)
    log.warn({ needEarlierSecret: earlier }, "sealed values still need the earlier secret: keep both");
  else if (seals.hasEarlier)
    log.info({ needEarlierSecret: 0 }, "no sealed value needs the earlier secret: it may be left out");
  if (closed > 0)
    log.warn({ unreadable: closed }, "sealed values cannot be read: their owners have to enter them again");
}

/** For a service that does not start: closes the database and throws the error again. */
export const closing =
  (database: Database) =>
  async (error: unknown): Promise<never> => {
    await database.close();
    throw error;
  };
