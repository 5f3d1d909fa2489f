/** The pen has no room for a larger load, so the ladder ended without a failure. */
const end = "max_load_reached";

export type RungStop = "mspt_exceeded" | "tps_dropped";

export interface Rung {
  readonly load: number;
  readonly passed: boolean;
  /** Null if it passed. */
  readonly stop: RungStop | null;
}

export interface Ladder<R extends Rung> {
  /** In the order of measuring; a rung that failed once is measured twice. */
  readonly rungs: readonly R[];
  readonly lastPassing: number;
  /** The least load that failed; null if none did. */
  readonly breaking: number | null;
  readonly stop: RungStop | typeof end;
}

export interface LadderSteps {
  readonly first: number;
  readonly most: number;
  /** Loads are multiples of this number. */
  readonly step: number;
}

/** The climb ends when the breaking load is this close to the last passing one, as a share of that. */
const closeness = 0.05;

/** Doubles the load until a rung fails twice, then halves the distance to the least failing load. */
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

/** Null at the end of the ladder. */
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
