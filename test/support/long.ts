/** True under `npm run test:long`, where random and exhaustive tests run in their whole length. */
export const isLong = process.env["TICKMARK_TEST_LONG"] !== undefined;

/** How many cases of a random test are made: all of them in the long run, a fifth otherwise. */
export const randomCases = (whole: number): number => (isLong ? whole : Math.ceil(whole / 5));

/** Those that the usual run takes: one of five, from `first` on; the long run takes all. */
export const someOf = <T>(all: readonly T[], first = 0): readonly T[] =>
  isLong ? all : all.filter((_, place) => place % 5 === first % 5);
