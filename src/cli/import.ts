import { createReadStream, statSync } from "node:fs";
import type { Config } from "../app/config/config.ts";
import { secretInspection } from "../app/access/inspect-secret.ts";
import { ExchangeError, totalOf, type Inspection } from "../store/transfer/format.ts";
import { openTarget } from "../store/transfer/open.ts";
import { readExport, type Imported } from "../store/transfer/read-export.ts";
import { CommandError, printResult } from "./output.ts";
import { progressOn } from "./progress.ts";

/** Fills an empty database with all of an export, or with nothing. */
export async function importAll(
  config: Config,
  { file, json, acceptNewSecret }: ImportOptions,
): Promise<void> {
  const size = file === "-" ? null : sizeOfFile(file);
  const inspection = inspectionOf(config, acceptNewSecret);
  const { counts, leftOut } = await importFile(config, file, size, inspection);
  const rows = totalOf(counts);
  const result = { file, rows, rows_left_out: leftOut, tables: counts, secret_checked: inspection !== null };
  printResult(json, result, [
    `${rows} rows imported.`,
    ...leftOutWords(leftOut),
    ...uncheckedWords(inspection),
  ]);
}

interface ImportOptions {
  readonly file: string;
  readonly json: boolean;
  /** True: also imports values that another secret sealed. */
  readonly acceptNewSecret: boolean;
}

/** Null if no secret is set yet, or another secret is accepted. */
export const inspectionOf = (
  { secretPlace, presentSecrets }: Config,
  acceptNewSecret = false,
): Inspection | null =>
  acceptNewSecret ? null : secretInspection({ place: secretPlace, present: presentSecrets });

export const uncheckedWords = (inspection: Inspection | null): string[] =>
  inspection === null
    ? [
        "The secret was not checked. Start the service with the TICKMARK_SECRET of the service that these data are of (or its file beside the database): it opens stored addresses, webhooks and second factors.",
      ]
    : [];

/** For rows of exports from before the first release, which no table of this version takes. */
export const leftOutWords = (leftOut: number): string[] =>
  leftOut === 0
    ? []
    : [`${leftOut} rows of five minutes of samples were left out: no version since 0.1.0 has any.`];

function sizeOfFile(file: string): number {
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    return found.size;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}.`);
  }
}

export async function importFile(
  config: Config,
  file: string,
  size: number | null,
  inspection: Inspection | null,
): Promise<Imported> {
  const progress = progressOn();
  let read = 0;
  try {
    const chunks: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
    };
    const share = (): string => (size ? `, ${Math.floor((100 * read) / size)} %` : "");
    return await readExport(
      counted(),
      (version) => openTarget(config.databaseUrl, version),
      (table, rows) => progress.tell(`Importing ${table}: ${rows} rows${share()}`),
      inspection,
    );
  } catch (error) {
    throw error instanceof ExchangeError ? new CommandError(`${error.message} Nothing was imported.`) : error;
  } finally {
    progress.end();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
