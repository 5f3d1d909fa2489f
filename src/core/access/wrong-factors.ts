import { hourMs, ownClockToleranceMs, secondMs, type Instant } from "../time.ts";

/** Tries are counted apart in browsers that are signed in, those in which the account signed in before, and all others. */
export type TriedIn = "signed_in" | "remembered" | "other";

/** Wrong second factors in a row after a right password. */
export interface WrongFactors {
  readonly inRow: number;
  readonly lastAt: Instant;
}

/** At this one a mail tells the person that somebody has the password. */
export const mailAtWrong = 5;
/** After so many codes of the app are closed until the person comes by mail. */
export const closeAtWrong = 100;

/** As many as the windows of a quarter of an hour let through are looked at without a pause. */
const withoutPause = 10;
const firstPauseMs = 15 * secondMs;
const longestPauseMs = hourMs;

/** The pause after so many wrong ones in a row, ms: each is twice as long as the one before. */
export const pauseAfter = (inRow: number): number =>
  inRow < withoutPause ? 0 : Math.min(firstPauseMs * 2 ** (inRow - withoutPause), longestPauseMs);

/** What becomes of a try that comes now. */
export type FactorTry =
  | { readonly kind: "closed" }
  | { readonly kind: "early"; readonly waitMs: number }
  | { readonly kind: "counted"; readonly inRow: number };

/**
 * Every try counts as a wrong one until it is known to be right, so that tries at the same time all count. Only codes can
 * be guessed: passkeys and recovery codes are looked at in a pause and after codes were closed. A last try that is ahead of the
 * clock was noted before the clock was set back, and holds nobody up.
 */
export function tryAdmitted(before: WrongFactors | null, isCode: boolean, now: Instant): FactorTry {
  if (before === null) return { kind: "counted", inRow: 1 };
  const { inRow, lastAt } = before;
  const isClosed = inRow >= closeAtWrong;
  if (isCode && isClosed) return { kind: "closed" };
  const waitMs = lastAt > now + ownClockToleranceMs ? 0 : lastAt + pauseAfter(inRow) - now;
  if (isCode && waitMs > 0) return { kind: "early", waitMs };
  return { kind: "counted", inRow: isClosed ? inRow : inRow + 1 };
}
