import { hourMs, ownClockToleranceMs, secondMs, type Instant } from "../time.ts";

/** Tries are counted separately for signed-in browsers, for remembered ones, and for all others. */
export type TriedIn = "signed_in" | "remembered" | "other";

/** Wrong second factors in a row after a right password. */
export interface WrongFactors {
  readonly inRow: number;
  readonly lastAt: Instant;
}

/** At this many a mail warns that somebody has the password. */
export const mailAtWrong = 5;
/** At this many codes of the app are closed until a mailed link opens them. */
export const closeAtWrong = 100;

/** No pause up to here: the 15-minute windows let this many through. */
const withoutPause = 10;
const firstPauseMs = 15 * secondMs;
const longestPauseMs = hourMs;

/** Pause after this many wrong tries in a row, ms; each is twice as long as the one before, up to an hour. */
export const pauseAfter = (inRow: number): number =>
  inRow < withoutPause ? 0 : Math.min(firstPauseMs * 2 ** (inRow - withoutPause), longestPauseMs);

export type FactorTry =
  | { readonly kind: "closed" }
  | { readonly kind: "early"; readonly waitMs: number }
  | { readonly kind: "counted"; readonly inRow: number };

/**
 * Each try counts as wrong until it proves right, so that simultaneous tries all count. Pauses and closing
 * apply only to codes, because passkeys and recovery codes cannot be guessed. A last try in the future was
 * written before the clock was set back, and causes no pause.
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
