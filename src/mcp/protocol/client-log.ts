import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { logLevels, type LogLevel } from "../../core/access/dialogue.ts";
import { metaKey } from "./revisions.ts";

/** Writes a log message for the client's developer. A model does not read it. */
export type Log = (level: LogLevel, data: Readonly<Record<string, unknown>>) => Promise<void>;

export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some((level) => level === value);

/** `least` is the level that the client set; null: it set none and reads no log. */
export const isWanted = (level: LogLevel, least: LogLevel | null): boolean =>
  least !== null && logLevels.indexOf(level) >= logLevels.indexOf(least);

export const logMessage = (level: LogLevel, data: Readonly<Record<string, unknown>>) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/message",
  params: { level, logger: "tickmark", data },
});

/** The level that a request of revision 2026-07-28 sets for itself; null if it sets none. */
export function requestedLevel({ _meta: meta }: Readonly<Record<string, unknown>>): LogLevel | null {
  const level = isJsonObject(meta) ? meta[metaKey.logLevel] : undefined;
  return isLogLevel(level) ? level : null;
}

/** Null if the client set no level. */
export const logFrom = (least: LogLevel | null, send: (message: object) => void): Log | null =>
  least === null
    ? null
    : async (level, data) => {
        if (isWanted(level, least)) send(logMessage(level, data));
      };
