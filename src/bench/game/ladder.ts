/** The next load was not tried: the ladder ended at the most that there is room for. */
const end = "max_load_reached";

export type RungStop = "mspt_exceeded" | "tps_dropped";

export interface Rung {
  readonly load: number;
  readonly passed: boolean;
  /** Why it did not pass; null if it passed. */
  readonly stop: RungStop | null;
}

export interface Ladder<R extends Rung> {
  /** Every rung that was measured, in order: a rung that failed once is measured twice. */
  readonly rungs: readonly R[];
  readonly lastPassing: number;
  /** The least load that failed; null if none did. */
  readonly breaking: number | null;
  readonly stop: RungStop | typeof end;
}

export interface LadderSteps {
  readonly first: number;
  readonly most: number;
  /** Loads are multiples of it. */
  readonly step: number;
}

/** The last passing load and the breaking one are this close at the end, as a share of the passing one. */
const closeness = 0.05;

/**
 * Climbs to the greatest load that passes: doubles it until a rung fails twice, then halves the distance between the last
 * passing load and the least failing one.
 */
export async function climb<R extends Rung>(
  { first, most, step }: LadderSteps,
  measure: (load: number) => Promise<R>,
): Promise<Ladder<R>> {
  const rungs: R[] = [];
  let stop: RungStop | typeof end = end;
  const passes = async (load: number): Promise<boolean> => {
    for (const isRepeat of [false, true]) {
      const rung = await measure(load);
      rungs.push(rung);
      if (rung.passed) return true;
      if (isRepeat) stop = rung.stop ?? "mspt_exceeded";
    }
    return false;
  };
  let bounds: Bounds = { lastPassing: 0, breaking: null };
  for (;;) {
    const load = nextLoad(bounds, { first, most, step });
    if (load === null) return { rungs, ...bounds, stop };
    bounds = (await passes(load)) ? { ...bounds, lastPassing: load } : { ...bounds, breaking: load };
  }
}

type Bounds = Pick<Ladder<Rung>, "lastPassing" | "breaking">;

/** The load to try next; null at the end of the ladder. */
function nextLoad({ lastPassing, breaking }: Bounds, { first, most, step }: LadderSteps): number | null {
  if (breaking === null) {
    if (lastPassing >= most) return null;
    return Math.min(lastPassing === 0 ? first : 2 * lastPassing, most);
  }
  const gap = breaking - lastPassing;
  if (gap <= Math.max(step, closeness * lastPassing)) return null;
  const middle = lastPassing + Math.round(gap / 2 / step) * step;
  return middle > lastPassing && middle < breaking ? middle : null;
}
