import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Environment } from "../../app/config/connector-config.ts";
import { CommandError, exitStatus } from "../output.ts";

/** One `NAME=value` a line, as systemd and container engines read it. */
export interface SettingsFile {
  readonly path: string;
  readonly settings: Environment;
}

export function readSettingsFile(path: string): SettingsFile {
  try {
    return { path, settings: parseEnv(readFileSync(path, "utf8")) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `--file takes a file of settings, one NAME=value a line (${why}).`,
      exitStatus.usage,
    );
  }
}
