/**
 * The thread answers calls, runs jobs and renders pages. Work that takes turns gives the thread up between two pieces.
 * In one pass of the event loop all of it together gets so long, ms, and what the last piece takes beyond; the rest waits
 * for the next pass. Without that, the pieces of everything in progress would follow one another in each pass, and a
 * heartbeat, which takes three passes, would wait for all of them three times.
 */
const piecesMs = 8;

/**
 * Calls, and their reads of a database that answers at once, are begun in a pass for so long, ms; those after it wait for
 * the next one.
 */
const callsMs = 6;

type Begin = () => void;

const calls: Begin[] = [];
const pieces: Begin[] = [];
let isPlanned = false;

/** When this pass began to give turns; null while none are given. */
let givingSince: number | null = null;
/** When the first call or read of this pass was begun outside them; null before it. */
let callsSince: number | null = null;
const forget = (): void => void (callsSince = null);

const wait = (among: Begin[]): Promise<void> =>
  new Promise((resolve) => {
    among.push(resolve);
    if (!isPlanned) plan();
  });

/** To be awaited between two pieces of work. */
export const nextTurn = (): Promise<void> => wait(pieces);

function plan(): void {
  isPlanned = true;
  setImmediate(() => {
    givingSince = performance.now();
    giveTurns(calls, givingSince);
  });
}

function giveTurns(among: Begin[], since: number): void {
  if (among.length > 0 && performance.now() - since < (among === calls ? callsMs : piecesMs)) {
    among.shift()?.();
    // Ticks come after everything that the piece made ready.
    queueMicrotask(() => process.nextTick(giveTurns, among, since));
  } else if (among === calls) giveTurns(pieces, performance.now());
  else {
    givingSince = null;
    if (calls.length + pieces.length > 0) plan();
    else isPlanned = false;
  }
}

/** To be awaited before a call or a read is begun; null where it need not wait. What got its turn may read at once. */
export function turnToBegin(): Promise<void> | null {
  const now = performance.now();
  if (givingSince === null && callsSince === null) {
    callsSince = now;
    // The first of them is after what the system brought in this pass, the second before what it brings in the next.
    setImmediate(forget);
    setTimeout(forget, 0);
  }
  return now - (givingSince ?? callsSince ?? now) < callsMs ? null : wait(calls);
}

/** Runs work step by step; between two steps everybody else gets the thread. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await nextTurn();
    step = steps.next();
  }
  return step.value;
}

/** The thread is kept for so long at a time, ms: whoever waits for it does not notice. */
const usuallyKeptMs = 5;

/** To be awaited between two pieces of work: gives everybody else the thread once it was kept for that long. */
export function pacer(keptMs = usuallyKeptMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < keptMs) return;
    await nextTurn();
    since = performance.now();
  };
}
