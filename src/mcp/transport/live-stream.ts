import { PassThrough } from "node:stream";
import { sseEvent } from "./http-answers.ts";

export interface LiveStream {
  readonly body: PassThrough;
  send(message: object): void;
  /** Sends a line that clients ignore, so that no proxy takes the stream for dead. */
  stayAlive(): void;
  /** Tells the client how long to wait before it opens the stream again, ms. */
  retryAfter(ms: number): void;
  end(): void;
  /** Aborts when the client closes the stream or the service stops. */
  readonly gone: AbortSignal;
}

export function liveStream(closing: AbortSignal): LiveStream {
  const body = new PassThrough();
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  closing.addEventListener("abort", stop, { once: true });
  body.once("close", () => {
    closing.removeEventListener("abort", stop);
    stop();
  });
  if (closing.aborted) stop();
  // Text for a client that has gone is dropped.
  const write = (text: string): void => void (body.writable && body.write(text));
  return {
    body,
    send: (message) => write(sseEvent(message)),
    stayAlive: () => write(": still here\n\n"),
    retryAfter: (ms) => write(`retry: ${ms}\n\n`),
    end: () => void (body.writable && body.end()),
    gone: gone.signal,
  };
}
