import { printError } from "./output.ts";

/** The end of a program that a signal asks for. */
export interface Ending {
  /** Aborts with the first signal. */
  readonly signal: AbortSignal;
  /** From now on the program ends by this. If it is to end already, it does so now. */
  endBy(close: () => Promise<void>): void;
}

/** The process ends so long after the time for requests in flight at the latest, ms. */
const afterRequestsMs = 800;

/**
 * The same signal within this time does not count as a second one, ms: on Ctrl-C a terminal signals every process of its
 * group, and npm passes its own signal on to the process that it runs.
 */
const sameSignalMs = 1000;

/**
 * From now on the first signal ends the program in order, within `withinMs` and a second, and a second one at once. Until
 * it is known how to end, `signal` tells what has begun to give up.
 */
export function endOnSignal(withinMs: number): Ending {
  const ending = new AbortController();
  let signalledAt: number | null = null;
  let close: (() => Promise<void>) | null = null;
  const end = (): void => {
    close?.().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const onSignal = (): void => {
    if (signalledAt !== null) {
      if (performance.now() - signalledAt >= sameSignalMs) process.exit(1);
      return;
    }
    signalledAt = performance.now();
    setTimeout(() => {
      printError(
        close === null
          ? "The start did not end in time, and was given up."
          : "The requests in progress did not end in time, and were dropped.",
      );
      process.exit(0);
    }, withinMs + afterRequestsMs);
    ending.abort();
    end();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: ending.signal,
    endBy: (by) => {
      close = by;
      if (signalledAt !== null) end();
    },
  };
}
