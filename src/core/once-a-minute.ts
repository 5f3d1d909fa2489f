import { minuteMs } from "./time.ts";

export interface OnceAMinute {
  /** How many similar lines were left out since the last one; null: this one is left out too. */
  next(kind: string): number | null;
}

/** Bounds the memory; a forgotten kind is written again at once. */
const mostKinds = 100;

/** One line a minute of each kind. `clock` is monotonic, ms: a wall clock set back would suppress lines. */
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
