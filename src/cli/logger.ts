import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../app/config/config.ts";

/** In both formats an entry is one line with quoted text, so that no text can look like an entry. */
export function serviceLogger({ logLevel, logFormat }: Config, stream: 1 | 2): Logger {
  if (logFormat === "json") return pino({ level: logLevel }, pino.destination(stream));
  const colorize = (stream === 1 ? process.stdout : process.stderr).isTTY;
  return pino(
    { level: logLevel },
    pretty({
      destination: stream,
      sync: true,
      colorize,
      singleLine: true,
      translateTime: "SYS:yyyy-mm-dd HH:MM:ss.l",
      ignore: "pid,hostname",
      errorLikeObjectKeys: [],
    }),
  );
}
