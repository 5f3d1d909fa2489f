import { printError } from "./output.ts";

export interface Ending {
  /** Aborts with the first signal. */
  readonly signal: AbortSignal;
  /** Sets how to end the program; if a signal came already, ends it now. */
  endBy(close: () => Promise<void>): void;
}

/** The process ends at most this long after the time for requests in flight, ms. */
const afterRequestsMs = 800;

/**
 * Signals within this time count as one, ms: on Ctrl-C a terminal signals its whole process group, and npm
 * passes its own signal on to its child.
 */
const sameSignalMs = 1000;

/** The first signal ends the program within `withinMs` and a second; a later one ends it at once. */
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
