import type { Instant } from "./time.ts";

/** Why a list has no rows. These are different answers: only `nothing` says that nothing happened. */
export type EmptyReason = "end" | "not_kept" | "filtered" | "nothing";

export interface EmptyRequest {
  /** A page behind the last entry was requested. */
  readonly isContinued: boolean;
  /** Filters besides the time were sent. */
  readonly isFiltered: boolean;
  /** The time that was asked for; null for an open end. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** What happened before is deleted or not shown; null if everything is kept. */
  readonly keptFrom: Instant | null;
}

/** A time that reaches behind what is kept comes before filters: of that part nobody can say that nothing happened. */
export function emptyReason({ isContinued, isFiltered, from, to, keptFrom }: EmptyRequest): EmptyReason {
  if (isContinued) return "end";
  const isBehind =
    keptFrom !== null && ((from !== null && from < keptFrom) || (to !== null && to <= keptFrom));
  if (isBehind) return "not_kept";
  return isFiltered ? "filtered" : "nothing";
}
