import { setImmediate } from "node:timers/promises";
import { Refusal } from "../core/errors.ts";

/** Calls that may wait for their turn; each takes up to a second where its document is as large as they come. */
const mostWaiting = 20;
const retryAfterSeconds = 5;

/** Runs work when all asked for before has ended; `rate_limited` where too much waits already. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A process's one place for work on documents that fill memory: one at a time, in the order asked, and between two of
 * them everybody else gets the thread.
 */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= mostWaiting) {
      const words = "Too many large documents are being read at once. Wait and send it again.";
      throw new Refusal("rate_limited", words, {}, retryAfterSeconds);
    }
    waiting += 1;
    const turn = last
      .then(() => setImmediate())
      .then(() => {
        waiting -= 1;
        return work();
      });
    last = turn.catch(() => {});
    return turn;
  };
}
