import { createReadStream, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { ExchangeError, totalOf, type Counts } from "../store/transfer/format.ts";
import { openTarget } from "../store/transfer/open.ts";
import { readExport } from "../store/transfer/read-export.ts";
import { CommandError, printResult } from "./output.ts";
import { progressOn } from "./progress.ts";

/** Fills an empty database from an export: with all of it, or with nothing. */
export async function importAll(
  config: Config,
  { file, json }: { readonly file: string; readonly json: boolean },
): Promise<void> {
  const size = file === "-" ? null : sizeOfFile(file);
  const counts = await importFile(config, file, size);
  const rows = totalOf(counts);
  printResult(json, { file, rows, tables: counts }, [
    `${rows} rows imported. Start the service with the TICKMARK_SECRET of the exported service: it decrypts stored addresses and webhooks.`,
  ]);
}

function sizeOfFile(file: string): number {
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    return found.size;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}.`);
  }
}

export async function importFile(config: Config, file: string, size: number | null): Promise<Counts> {
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
    );
  } catch (error) {
    throw error instanceof ExchangeError ? new CommandError(`${error.message} Nothing was imported.`) : error;
  } finally {
    progress.end();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
