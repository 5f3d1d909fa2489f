import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { withoutTrailingSlash } from "../../core/address.ts";
import { unknownSettings } from "./known-settings.ts";

/** One line that names the variable, what it takes and what was found. */
export class ConfigError extends Error {
  /** Exit status of the command line for a wrong configuration. */
  readonly status = 2;
  /** `found` says what is wrong, with a comma before it, such as `, not "http"`; it holds no secret. */
  constructor(variable: string, takes: string, found = "") {
    super(`${variable} takes ${takes}${found}.`);
    this.name = "ConfigError";
  }
}

/** A mistyped name would otherwise silently leave the default in force. */
class UnknownSetting extends Error {
  readonly status = 2;
  constructor(name: string, nearest: string | null) {
    const instead =
      nearest === null
        ? "Remove it, or use one that tickmark config lists."
        : `Did you mean ${nearest}? Rename or remove it.`;
    super(`${name} is no setting of Tickmark. ${instead}`);
    this.name = "UnknownSetting";
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws for the first setting that no command knows. */
export function refuseUnknownSettings(environment: Environment): void {
  const [unknown] = unknownSettings(environment);
  if (unknown) throw new UnknownSetting(unknown.name, unknown.nearest);
}

/** Longer values are cut in an error, characters. */
const longestShown = 80;

/** The value on one line for an error, except for one that may hold a password. */
export function notThis(value: string): string {
  if (value.includes("@")) return ", not this value (it may hold a password, so it is not repeated here)";
  return `, not ${JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)}`;
}

export interface ConnectorConfig {
  readonly url: string;
  /** The end of the written address that was removed, such as `/mcp`; null: nothing. */
  readonly leftOut: string | null;
  readonly token: string | null;
}

export const processConnectorConfig = (): ConnectorConfig => readConnectorConfig(process.env);

/** People paste the address of the connector over HTTP, or of the API. */
const ending = /\/(?:mcp|api\/v1)\/*$/;

export function readConnectorConfig(environment: Environment): ConnectorConfig {
  refuseUnknownSettings(environment);
  const written = environment["TICKMARK_URL"]?.trim() || "http://127.0.0.1:8080";
  if (!/^https?:\/\/[^?#]+$/i.test(written) || !URL.canParse(written))
    throw new ConfigError(
      "TICKMARK_URL",
      "the address of a Tickmark service, such as http://127.0.0.1:8080",
      notThis(written),
    );
  const leftOut = ending.exec(written)?.[0] ?? null;
  const url = leftOut === null ? written : written.slice(0, -leftOut.length);
  const token = environment["TICKMARK_TOKEN"]?.trim() || null;
  // A client that does not expand variables passes the name of one, which is no token.
  return {
    url: withoutTrailingSlash(url),
    leftOut: leftOut && withoutTrailingSlash(leftOut),
    token: token?.startsWith("${") ? null : token,
  };
}

export const processAgentConfig = (): { url: string; stateFolder: string } => ({
  url: readConnectorConfig(process.env).url,
  stateFolder: join(stateHome(process.env, process.getuid?.() === 0), "tickmark-agent"),
});

/** By the XDG base directory specification; for root, the folder of system services. */
function stateHome(environment: Environment, isRoot: boolean): string {
  const chosen = environment["XDG_STATE_HOME"]?.trim() ?? "";
  if (isAbsolute(chosen)) return chosen;
  return isRoot ? "/var/lib" : join(homedir(), ".local", "state");
}
