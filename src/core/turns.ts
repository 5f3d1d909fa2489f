/**
 * All pieces of long work together get this long in one pass of the event loop, ms, plus the rest of the last
 * piece. Without a limit, a heartbeat, which takes two or three passes, would wait for all of them in each.
 * With 8 ms instead of 4, 10,000 servers had 1 in 100 of their heartbeats answered after 55 to 65 ms instead
 * of 46 to 49.
 */
const piecesMs = 4;

/** Calls, and reads of a database that answers at once, begin for this long in one pass, ms. */
const callsMs = 6;

interface Waiting {
  readonly begin: () => void;
  readonly since: number;
}

const calls: Waiting[] = [];
const sendings: (() => void)[] = [];
const pieces: Waiting[] = [];
let isPlanned = false;

/** Start of the current turns of calls or of pieces; null: no turns are given. */
let givingSince: number | null = null;
/** Start of the first call or read of this pass outside of turns; null: none yet. */
let callsSince: number | null = null;
const forget = (): void => void (callsSince = null);

const wait = (among: Waiting[]): Promise<void> =>
  new Promise((begin) => {
    among.push({ begin, since: performance.now() });
    if (!isPlanned) plan();
  });

/** Await it between two pieces of work. */
export const nextTurn = (): Promise<void> => wait(pieces);

/** Runs after the calls of this pass began, so that their writes reach the disk while pieces of work run. */
export function afterCalls(send: () => void): void {
  sendings.push(send);
  if (!isPlanned) plan();
}

function plan(): void {
  isPlanned = true;
  setImmediate(giveTurnsTo, calls);
}

function giveTurnsTo(among: Waiting[]): void {
  givingSince = performance.now();
  giveTurns(among, givingSince);
}

function giveTurns(among: Waiting[], since: number): void {
  if (among.length > 0 && performance.now() - since < (among === calls ? callsMs : piecesMs)) {
    among.shift()?.begin();
    // The next turn comes after everything that this piece made ready.
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

/** Await it before a call or read begins; null: no need to wait. After its turn, a call may read at once. */
export function turnToBegin(): Promise<void> | null {
  const now = performance.now();
  if (givingSince === null && callsSince === null) {
    callsSince = now;
    // setImmediate comes after the I/O events of this pass, setTimeout before those of the next one.
    setImmediate(forget);
    setTimeout(forget, 0);
  }
  return now - (givingSince ?? callsSince ?? now) < callsMs ? null : wait(calls);
}

/** How many wait for the thread, and the longest of these waits, ms. */
export interface TurnQueue {
  readonly waiting: number;
  readonly longestMs: number;
}

const queueOf = ({ length: waiting, 0: first }: readonly Waiting[]): TurnQueue => ({
  waiting,
  longestMs: first === undefined ? 0 : performance.now() - first.since,
});

/** Calls that did not begin yet, and pieces of long work. */
export const queuesNow = (): { readonly calls: TurnQueue; readonly pieces: TurnQueue } => ({
  calls: queueOf(calls),
  pieces: queueOf(pieces),
});

/** Other work gets the thread between two steps. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await nextTurn();
    step = steps.next();
  }
  return step.value;
}

/** The thread is kept for this long at a time, ms: too short for others to notice. */
const usuallyKeptMs = 4;

/** Await the result between two pieces of work: other work gets the thread once it was kept for `keptMs`. */
export function pacer(keptMs = usuallyKeptMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < keptMs) return;
    await nextTurn();
    since = performance.now();
  };
}
