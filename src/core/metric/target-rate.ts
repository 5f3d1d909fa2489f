/** Ticks a second of a game that nobody set to another rate. */
export const fullRate = 20;

/**
 * The share of the full rate that the server is set to (`/tick rate`), above 0 and at most 1. Null is a target that is
 * not known; a faster one than the full rate counts as that, because TPS is not measured beyond it.
 */
export const shareOfFullRate = (targetTps: number | null): number =>
  targetTps === null || targetTps <= 0 ? 1 : Math.min(1, targetTps / fullRate);
