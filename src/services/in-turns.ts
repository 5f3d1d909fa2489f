import { nextTurn } from "../core/turns.ts";

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
const keptMs = 5;

/** To be awaited between two pieces of work: gives everybody else the thread once it was kept for a while. */
export function pacer(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < keptMs) return;
    await nextTurn();
    since = performance.now();
  };
}
