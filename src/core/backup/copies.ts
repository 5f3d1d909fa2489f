import type { Instant } from "../time.ts";

/** A file that holds the database as it was. */
export interface Copy {
  readonly name: string;
  /** When it was made, as its name says. */
  readonly at: Instant;
}

interface Keeping<C extends Copy> {
  /** How many are kept. */
  readonly keep: number;
  /** The name of the one that was just made: it is kept whatever the clock says. */
  readonly made: string;
  /** Whether two copies are of different periods, or of different upgrades. */
  readonly isApart: (one: C, other: C) => boolean;
}

/**
 * Which copies are removed: as many as there are beyond `keep`. One of each period is kept before a second one of any
 * period, then the newest ones.
 */
export function copiesToRemove<C extends Copy>(
  copies: readonly C[],
  { keep, made, isApart }: Keeping<C>,
): readonly C[] {
  const newestFirst = copies.toSorted(
    (one, other) => Number(other.name === made) - Number(one.name === made) || other.at - one.at,
  );
  const kept = new Set<C>();
  for (const copy of newestFirst)
    if (kept.size < keep && [...kept].every((one) => isApart(one, copy))) kept.add(copy);
  for (const copy of newestFirst) if (kept.size < keep) kept.add(copy);
  return newestFirst.filter((copy) => !kept.has(copy));
}

/** Backups that are half a period apart are of different periods: the time of a backup varies. */
export const isPeriodApart =
  (periodMs: number) =>
  (one: Copy, other: Copy): boolean =>
    Math.abs(one.at - other.at) >= periodMs / 2;
