import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { withoutTrailingSlash } from "../../core/address.ts";
import { unknownSettings } from "./known-settings.ts";

/** A setting that cannot be used: one line that names the variable, and says what it takes and what was found. */
export class ConfigError extends Error {
  /** The command line's exit status for being configured wrongly. */
  readonly status = 2;
  /** `found`: what is wrong with the value, with the sign before it, such as `, not "http"`; no secret stands in it. */
  constructor(variable: string, takes: string, found = "") {
    super(`${variable} takes ${takes}${found}.`);
    this.name = "ConfigError";
  }
}

/** Settings that no command knows: a mistyped name would otherwise leave the default in force without a word. */
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

/** The longest value that is repeated, characters. */
const longestShown = 80;

/** What an error says of a wrong value: the value on one line, whatever it holds, but none that may hold a password. */
export function notThis(value: string): string {
  if (value.includes("@")) return ", not this value (it may hold a password, so it is not repeated here)";
  return `, not ${JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)}`;
}

export interface ConnectorConfig {
  /** The service's own address. */
  readonly url: string;
  /** What stood behind it and was left out; null for nothing. */
  readonly leftOut: string | null;
  readonly token: string | null;
}

/** The stdio connector's part of the environment. */
export const processConnectorConfig = (): ConnectorConfig => readConnectorConfig(process.env);

/** What people paste for the address: the connector's over HTTP, or the API's. */
const ending = /\/(?:mcp|api\/v1)\/*$/;

/** What the stdio connector needs, and all it needs. */
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
  // A client that does not expand variables hands over the name of one: that is no token.
  return {
    url: withoutTrailingSlash(url),
    leftOut: leftOut && withoutTrailingSlash(leftOut),
    token: token?.startsWith("${") ? null : token,
  };
}

/** The agent's part of the environment: the service, and where it keeps what it has to remember. */
export const processAgentConfig = (): { url: string; stateFolder: string } => ({
  url: readConnectorConfig(process.env).url,
  stateFolder: join(stateHome(process.env, process.getuid?.() === 0), "tickmark-agent"),
});

/** As the XDG base directory specification has it; of the system's services for root. */
function stateHome(environment: Environment, isRoot: boolean): string {
  const chosen = environment["XDG_STATE_HOME"]?.trim() ?? "";
  if (isAbsolute(chosen)) return chosen;
  return isRoot ? "/var/lib" : join(homedir(), ".local", "state");
}
