import { pino, type DestinationStream, type Logger } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../app/config/config.ts";

/** In both formats an entry is one line with quoted text, so that no text can look like an entry. */
export function serviceLogger({ logLevel, logFormat }: Config, stream: 1 | 2): Logger {
  if (logFormat === "json") return pino({ level: logLevel }, together(stream));
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

/** Lines wait for others for this long, ms, and at most so many bytes do. */
const gatheredMs = 10;
const mostWaiting = 8 * 1024;
/** Lines that nobody reads are kept up to so many bytes; later ones are lost. */
const mostUnread = 16 * 1024 * 1024;

/**
 * Lines of a moment are written at once, and nobody waits for that: a reader of a pipe that stands still does not hold
 * up the service. What waits when the process exits is written then.
 */
function together(stream: 1 | 2): DestinationStream & Pick<ReturnType<typeof pino.destination>, "flush"> {
  const lines = pino.destination({
    dest: stream,
    sync: false,
    minLength: mostWaiting,
    maxLength: mostUnread,
  });
  let isPlanned = false;
  const flush = (): void => {
    isPlanned = false;
    lines.flush();
  };
  return {
    write(line) {
      lines.write(line);
      if (isPlanned) return;
      isPlanned = true;
      setTimeout(flush, gatheredMs).unref();
    },
    flush: (done) => lines.flush(done),
  };
}

/** Resolves once the lines so far are written. */
export const logWritten = (log: Logger): Promise<void> =>
  new Promise((resolve) => log.flush(() => resolve()));
