import { Refusal } from "../core/errors.ts";

/** Jobs of one account that may wait, and those of all accounts; more are refused. */
export const mostWaitingOfOne = 10;
export const mostWaiting = 100;

/** About what a few large documents take, seconds. */
const retryAfterSeconds = 5;

/** Runs work when it is the account's turn; `rate_limited` where too much waits already. */
export type AccountTurns = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Shares `slots` between accounts: of each account one piece of work runs at a time, and accounts that wait take turns,
 * so that whoever sends one document never waits for all that another account sent.
 */
export function accountTurns(slots: number): AccountTurns {
  /** By account, in the order of turns. */
  const waiting = new Map<string, (() => void)[]>();
  const working = new Set<string>();
  let count = 0;

  const next = (): void => {
    for (const [account, queue] of waiting) {
      if (working.size >= slots) return;
      if (working.has(account)) continue;
      const start = queue.shift();
      if (queue.length === 0) waiting.delete(account);
      working.add(account);
      count -= 1;
      start?.();
    }
  };

  const end = (account: string): void => {
    working.delete(account);
    const rest = waiting.get(account);
    // Its next one comes after everybody's who waits.
    if (rest && waiting.delete(account)) waiting.set(account, rest);
    next();
  };

  return async (account, work) => {
    const queue = waiting.get(account) ?? [];
    if (count >= mostWaiting || queue.length >= mostWaitingOfOne) {
      const words =
        "Too many large documents are being read at the moment. Wait, then send the document again.";
      throw new Refusal("rate_limited", words, {}, retryAfterSeconds);
    }
    await new Promise<void>((start) => {
      queue.push(start);
      waiting.set(account, queue);
      count += 1;
      next();
    });
    try {
      const done = await work();
      end(account);
      return done;
    } catch (error) {
      // Its sender has the answer, and is charged for what was refused, before its next one begins.
      setImmediate(end, account);
      throw error;
    }
  };
}
