import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { logLevels, type LogLevel } from "../../core/access/dialogue.ts";
import { metaKey } from "./revisions.ts";

/** Tells a client's developer what happened; nothing a model reads. */
export type Log = (level: LogLevel, data: Readonly<Record<string, unknown>>) => Promise<void>;

export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some((level) => level === value);

/** Whether a client that asked for messages from `least` on wants one of that level; nobody who never asked does. */
export const isWanted = (level: LogLevel, least: LogLevel | null): boolean =>
  least !== null && logLevels.indexOf(level) >= logLevels.indexOf(least);

export const logMessage = (level: LogLevel, data: Readonly<Record<string, unknown>>) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/message",
  params: { level, logger: "tickmark", data },
});

/** The level a request of revision 2026-07-28 asks for, for itself; null where it asks for none. */
export function leastAsked({ _meta: meta }: Readonly<Record<string, unknown>>): LogLevel | null {
  const asked = isJsonObject(meta) ? meta[metaKey.logLevel] : undefined;
  return isLogLevel(asked) ? asked : null;
}

/** A log for a client that wants messages from `least` on; null for one that wants none. */
export const logFrom = (least: LogLevel | null, send: (message: object) => void): Log | null =>
  least === null
    ? null
    : async (level, data) => {
        if (isWanted(level, least)) send(logMessage(level, data));
      };
