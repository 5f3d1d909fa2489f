/**
 * The thread answers calls, runs jobs and renders pages. Work that takes turns gives the thread up between two pieces.
 * In one pass of the event loop all of it together gets so long, ms, and what the last piece takes beyond; the rest waits
 * for the next pass. Without that, the pieces of everything in progress would follow one another in each pass, and a
 * heartbeat, which takes two or three passes, would wait for all of them as often. With 8 ms instead of 4, 10,000 servers
 * had 1 in 100 of their heartbeats answered after 55 to 65 ms instead of 46 to 49.
 */
const piecesMs = 4;

/**
 * Calls, and their reads of a database that answers at once, are begun in a pass for so long, ms; those after it wait for
 * the next one.
 */
const callsMs = 6;

type Begin = () => void;

const calls: Begin[] = [];
const sendings: Begin[] = [];
const pieces: Begin[] = [];
let isPlanned = false;

/** Since when turns are given to calls, or to pieces, in this pass; null while none are given. */
let givingSince: number | null = null;
/** When the first call or read of this pass was begun outside them; null before it. */
let callsSince: number | null = null;
const forget = (): void => void (callsSince = null);

function add(among: Begin[], begin: Begin): void {
  among.push(begin);
  if (!isPlanned) plan();
}

const wait = (among: Begin[]): Promise<void> => new Promise((resolve) => add(among, resolve));

/** To be awaited between two pieces of work. */
export const nextTurn = (): Promise<void> => wait(pieces);

/** Runs once the calls of this pass were begun: what they write is on its way to the disk while pieces of work are done. */
export const afterCalls = (send: () => void): void => add(sendings, send);

function plan(): void {
  isPlanned = true;
  setImmediate(giveTurnsTo, calls);
}

function giveTurnsTo(among: Begin[]): void {
  givingSince = performance.now();
  giveTurns(among, givingSince);
}

function giveTurns(among: Begin[], since: number): void {
  if (among.length > 0 && performance.now() - since < (among === calls ? callsMs : piecesMs)) {
    among.shift()?.();
    // Ticks come after everything that the piece made ready.
    queueMicrotask(() => process.nextTick(giveTurns, among, since));
  } else if (among === calls) {
    for (const send of sendings.splice(0)) send();
    process.nextTick(giveTurnsTo, pieces);
  } else {
    givingSince = null;
    if (calls.length + sendings.length + pieces.length > 0) plan();
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
const usuallyKeptMs = 4;

/** To be awaited between two pieces of work: gives everybody else the thread once it was kept for that long. */
export function pacer(keptMs = usuallyKeptMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < keptMs) return;
    await nextTurn();
    since = performance.now();
  };
}
