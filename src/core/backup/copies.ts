import type { Instant } from "../time.ts";

export interface Copy {
  readonly name: string;
  /** Read from the file name. */
  readonly at: Instant;
}

interface Keeping<C extends Copy> {
  readonly keep: number;
  /** Name of the newest copy, which is kept even if the clock was wrong. */
  readonly made: string;
  /** Whether two copies are of different periods or upgrades. */
  readonly isApart: (one: C, other: C) => boolean;
}

/**
 * The copies beyond `keep`. Of each period one copy is kept before a second one of any period; the rest of
 * `keep` goes to the newest.
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

/** Half a period apart is enough, because the time of a backup varies. */
export const isPeriodApart =
  (periodMs: number) =>
  (one: Copy, other: Copy): boolean =>
    Math.abs(one.at - other.at) >= periodMs / 2;
