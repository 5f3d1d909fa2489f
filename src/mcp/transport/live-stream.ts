import { PassThrough } from "node:stream";
import { sseEvent } from "./http-answers.ts";

/** An event stream that is being written while its client reads. */
export interface LiveStream {
  readonly body: PassThrough;
  send(message: object): void;
  /** A line that no client reads, so that nothing between takes the stream for dead. */
  stayAlive(): void;
  /** Tells the client how long to wait before it opens the stream again, ms. */
  retryAfter(ms: number): void;
  end(): void;
  /** Aborts when the client closes the stream, or the service stops. */
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
  // A client that went away takes what is written to it with it.
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
