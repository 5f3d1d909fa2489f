import { setTimeout as delay } from "node:timers/promises";

/** Waits until a promise is settled, but no longer than that; rejects as it does. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([promise, delay(ms, undefined, { signal }).catch(() => {})]);
  } finally {
    over.abort();
  }
}
