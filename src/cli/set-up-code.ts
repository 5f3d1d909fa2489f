import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { CommandError, exitStatus, printError } from "./output.ts";

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
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`TICKMARK_SETUP_CODE_FILE cannot be written (${why}).`, exitStatus.usage);
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
