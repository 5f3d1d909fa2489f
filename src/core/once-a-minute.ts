import { minuteMs } from "./time.ts";

/** Says of each line whether it is written now. */
export interface OnceAMinute {
  /** How many alike lines were left out since the last that was written; null: this one is left out too. */
  next(kind: string): number | null;
}

/** Kinds are fixed words of ours. One that is not among the newest is written again: no list grows without end. */
const mostKinds = 100;

/**
 * Of alike lines one a minute is written, the first of them at once. `clock` counts ms and is never set:
 * after a step of the wall clock a line would be missing for as long as the step.
 */
export function onceAMinute(clock: () => number = () => performance.now()): OnceAMinute {
  const written = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    next(kind) {
      const now = clock();
      const last = written.get(kind);
      if (last !== undefined && now - last.at < minuteMs) {
        last.leftOut += 1;
        return null;
      }
      written.delete(kind);
      const oldest = written.size < mostKinds ? undefined : written.keys().next().value;
      if (oldest !== undefined) written.delete(oldest);
      written.set(kind, { at: now, leftOut: 0 });
      return last?.leftOut ?? 0;
    },
  };
}
