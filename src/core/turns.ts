/**
 * The thread answers calls, runs jobs and renders pages. Work that takes turns gives the thread up between two pieces.
 * In one pass of the event loop all of it together gets `piecesMs` and what the last piece takes beyond, and the rest
 * waits for the next pass. Without that, the pieces of everything in progress would follow one another in each pass, and
 * a heartbeat, which takes three passes, would wait for all of them three times.
 */
const piecesMs = 3;

/** New calls are begun in a pass for so long, ms; those after it wait for the next one. */
const callsMs = 6;

type Begin = () => void;

const calls: Begin[] = [];
const pieces: Begin[] = [];
let isPlanned = false;

const wait = (among: Begin[]): Promise<void> =>
  new Promise((resolve) => {
    among.push(resolve);
    if (!isPlanned) plan();
  });

/** To be awaited between two pieces of work. */
export const nextTurn = (): Promise<void> => wait(pieces);

function plan(): void {
  isPlanned = true;
  setImmediate(() => giveTurns(calls, performance.now()));
}

function giveTurns(among: Begin[], since: number): void {
  if (among.length > 0 && performance.now() - since < (among === calls ? callsMs : piecesMs)) {
    among.shift()?.();
    // Ticks come after everything that the piece made ready.
    queueMicrotask(() => process.nextTick(giveTurns, among, since));
  } else if (among === calls) giveTurns(pieces, performance.now());
  else if (calls.length + pieces.length > 0) plan();
  else isPlanned = false;
}

/** When the first call of this pass of the event loop was begun; null before it. */
let callsSince: number | null = null;

/** To be awaited before a call is begun; null where it need not wait. */
export function turnOfCall(): Promise<void> | null {
  const now = performance.now();
  if (callsSince === null) {
    callsSince = now;
    setImmediate(() => (callsSince = null));
  }
  return calls.length === 0 && now - callsSince < callsMs ? null : wait(calls);
}
