import { openAsItIs } from "../store/engine/open-database.ts";
import { importOfferList } from "../services/offer/import-offer-list.ts";
import { readFile } from "node:fs/promises";
import type { Config } from "../app/config/config.ts";
import { readOfferFile } from "../core/offer/offer-file.ts";
import { operatorsAct } from "./operators-act.ts";
import { CommandError, printResult } from "./output.ts";

const problemsShown = 5;

/** Adds and changes offers; imports nothing of a file with a bad line. */
export async function importOffers(
  config: Config,
  { file, json }: { readonly file: string; readonly json: boolean },
): Promise<void> {
  const read = readOfferFile(await textOf(file));
  if (!read.ok) {
    const more = read.problems.length - problemsShown;
    const problems = read.problems.slice(0, problemsShown).join("; ");
    throw new CommandError(
      `${file}: ${problems}${more > 0 ? `; and ${more} more` : ""}. Nothing was imported.`,
    );
  }
  if (read.offers.length === 0)
    throw new CommandError(`${file} has no offer. Write one JSON object per line.`);
  const now = Date.now();
  const database = await openAsItIs(config.databaseUrl);
  try {
    const { created, updated, unchanged } = await database.write(
      importOfferList,
      read.offers,
      now,
      operatorsAct(now),
    );
    printResult(json, { offers: read.offers.length, created, updated, unchanged }, [
      `${read.offers.length} offers: ${created} new, ${updated} changed, ${unchanged} as they were.`,
    ]);
  } finally {
    await database.close();
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const reason = error instanceof TypeError ? "it is not UTF-8" : messageOf(error);
    throw new CommandError(`${file} cannot be read: ${reason}.`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
