import { setTimeout as delay } from "node:timers/promises";

/** Resolves when the promise is settled or the time is over; rejects if the promise rejects. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([promise, delay(ms, undefined, { signal }).catch(() => {})]);
  } finally {
    over.abort();
  }
}
