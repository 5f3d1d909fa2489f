import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../app/config/config.ts";
import { printError } from "./output.ts";
import { fileError } from "./start-errors/file-errors.ts";

/** The page where the first account is made, and the code that allows it. */
export interface SetUp {
  readonly url: string;
  readonly code: string;
}

const commandLine = (): string =>
  `node ${process.argv[1] ?? "tickmark"} account create --admin --email you@example.org`;

/** Keeps the code out of logs: whoever reads it first may become the administrator. */
export function giveSetUpCode({ url, code }: SetUp, { setUpCodeFile }: Pick<Config, "setUpCodeFile">): void {
  if (setUpCodeFile !== null) {
    writeCode(setUpCodeFile, code);
    printError(`No account yet. Open ${url} and enter the set-up code in ${setUpCodeFile}.`);
  } else if (process.stderr.isTTY)
    printError(
      `No account yet. Open ${url} and enter the set-up code ${code}, or make the first account with: ${commandLine()}`,
    );
  else
    printError(
      `No account yet. Make the first account with: ${commandLine()}. Or set TICKMARK_SETUP_CODE_FILE to a path, start again, and enter the code of that file on ${url}.`,
    );
}

function writeCode(file: string, code: string): void {
  try {
    rmSync(file, { force: true });
    writeFileSync(file, `${code}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const place = { what: "the file of the set-up code", setting: "TICKMARK_SETUP_CODE_FILE" };
    throw fileError(error, place, file) ?? error;
  }
}

/** Time between two looks for a first account, ms; any process may make it. */
const lookEveryMs = 1000;

export async function removeAfterFirstAccount(
  code: string,
  config: Pick<Config, "setUpCodeFile">,
  hasAccount: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  if (config.setUpCodeFile === null) return;
  while (!signal.aborted) {
    // If the database does not answer, it is asked again.
    if (await hasAccount().catch(() => false)) return removeSetUpCode(code, config);
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Keeps a file that holds anything but the code. */
export function removeSetUpCode(code: string, { setUpCodeFile }: Pick<Config, "setUpCodeFile">): void {
  if (setUpCodeFile === null) return;
  try {
    if (readFileSync(setUpCodeFile, "utf8").trim() === code) rmSync(setUpCodeFile);
  } catch {
    // The file is gone or cannot be read; its code allows nothing any more.
  }
}
