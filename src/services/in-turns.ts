import { setImmediate } from "node:timers/promises";

/** Runs work step by step; between two steps everybody else gets the thread. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await setImmediate();
    step = steps.next();
  }
  return step.value;
}
