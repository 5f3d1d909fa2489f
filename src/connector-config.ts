import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { withoutTrailingSlash } from "./core/address.ts";

/** A setting that cannot be used: one line that names the variable and says what it takes. */
export class ConfigError extends Error {
  /** The command line's exit status for being configured wrongly. */
  readonly status = 2;
  constructor(variable: string, takes: string) {
    super(`${variable} takes ${takes}.`);
    this.name = "ConfigError";
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

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
  const written = environment["TICKMARK_URL"]?.trim() || "http://127.0.0.1:8080";
  if (!/^https?:\/\/[^?#]+$/i.test(written) || !URL.canParse(written))
    throw new ConfigError("TICKMARK_URL", "the address of a Tickmark service, such as http://127.0.0.1:8080");
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
