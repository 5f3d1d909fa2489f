import { minuteMs } from "../../core/time.ts";

/** So many equal failures in a row show that the next attempt fails too. */
const mostEqual = 3;
/** The time between two attempts then, ms: each of them may be a line in the server's own log. */
const restMs = 5 * minuteMs;

/** The failure is known, and no attempt is made for some minutes. */
export class Resting extends Error {}

export interface RetryBoundParts {
  /** How many such failures in a row are enough; `mostEqual` where it says nothing. */
  readonly enough?: (error: unknown) => number | null;
  /** The program that is asked: another one is asked at once. */
  readonly who: () => Promise<string | null>;
  /** A clock without steps, ms. */
  readonly elapsed?: () => number;
}

/** Makes an attempt, or rejects with `Resting` after equal failures in a row. */
export function retryBound({
  enough = () => null,
  who,
  elapsed = () => performance.now(),
}: RetryBoundParts): <T>(work: () => Promise<T>) => Promise<T> {
  let failed: { readonly says: string; readonly count: number; readonly at: number } | null = null;
  let isResting = false;
  let failedWho: string | null = null;

  return async (work) => {
    if (failed && (await who()) !== failedWho) [failed, isResting] = [null, false];
    if (failed && isResting && elapsed() - failed.at < restMs) throw new Resting(failed.says);
    try {
      const done = await work();
      [failed, isResting] = [null, false];
      return done;
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      const count = failed?.says === says ? failed.count + 1 : 1;
      failed = { says, count, at: elapsed() };
      failedWho = await who();
      isResting = count >= (enough(error) ?? mostEqual);
      throw isResting ? new Resting(says, { cause: error }) : error;
    }
  };
}
