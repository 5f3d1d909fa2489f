import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../app/config/config.ts";
import { printError } from "./output.ts";
import { fileError } from "./start-errors/file-errors.ts";

/** Where the first account is made, and the code that allows it. */
export interface SetUp {
  readonly url: string;
  readonly code: string;
}

const commandLine = (): string =>
  `node ${process.argv[1] ?? "tickmark"} account create --admin --email you@example.org`;

/**
 * Gives the set-up code to the operator, once: into the file that was named, else to a terminal. A log that is kept or
 * sent elsewhere never gets it: whoever reads the code first may become the administrator.
 */
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

/** Only the user of the service may read it. */
function writeCode(file: string, code: string): void {
  try {
    rmSync(file, { force: true });
    writeFileSync(file, `${code}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const place = { what: "the file of the set-up code", setting: "TICKMARK_SETUP_CODE_FILE" };
    throw fileError(error, place, file) ?? error;
  }
}

/** How often a service without an account looks whether there is one, ms; anybody may have made it, in any process. */
const lookEveryMs = 1000;

/** Removes the code's file as soon as there is an account. */
export async function removeAfterFirstAccount(
  code: string,
  config: Pick<Config, "setUpCodeFile">,
  hasAccount: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  if (config.setUpCodeFile === null) return;
  while (!signal.aborted) {
    // A database that does not answer now is asked again.
    if (await hasAccount().catch(() => false)) return removeSetUpCode(code, config);
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Removes the code's file once there is an account; a file that holds anything else is not ours. */
export function removeSetUpCode(code: string, { setUpCodeFile }: Pick<Config, "setUpCodeFile">): void {
  if (setUpCodeFile === null) return;
  try {
    if (readFileSync(setUpCodeFile, "utf8").trim() === code) rmSync(setUpCodeFile);
  } catch {
    // There is no such file, or it cannot be read: the code in it does nothing any more.
  }
}
