import { Refusal } from "../core/errors.ts";

/** Waiting jobs of one account, and of all accounts; more are refused. */
export const mostWaitingOfOne = 10;
export const mostWaiting = 100;

/** About the time of a few large documents, seconds. */
const retryAfterSeconds = 5;

/** Runs work when it is the account's turn; refuses with `rate_limited` if too much waits already. */
export type AccountTurns = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Accounts take turns with one piece of work each, so none waits for all the documents of another. */
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
    // The account's next work comes after that of everybody who waits.
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
      // The sender gets the answer, and is charged for the refusal, before its next work begins.
      setImmediate(end, account);
      throw error;
    }
  };
}
