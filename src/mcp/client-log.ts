import { logLevels, type LogLevel } from "../core/access/dialogue.ts";

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
