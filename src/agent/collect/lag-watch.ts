import { lateFiguresOf } from "../../core/health/late-ticks.ts";
import { minuteMs, secondMs } from "../../core/time.ts";
import type { Measured } from "../sources/source.ts";

/** Ticks have to be late for so long, ms: a shorter lag is over before a profile of it is recorded. */
export const lagHeldMs = 2 * minuteMs;

/** Without a figure for so long it is not known that the ticks stayed late, ms: three intervals of samples. */
const longestGapMs = 90 * secondMs;

/** Whether ticks take longer than they may; null if nothing of this reading shows it. */
function isLate({ tps = null, mspt = null, mspt_p95 = null, target_tps = null }: Measured): boolean | null {
  if (tps === null && mspt === null) return null;
  const late = lateFiguresOf({ tps, mspt, mspt_p95, target_tps });
  return Object.values(late).some(({ severity }) => severity === "critical");
}

/** Finds out from the readings of each turn whether the ticks have been over their budget for two minutes. */
export class LagWatch {
  #since: number | null = null;
  #lateAt = 0;

  /** True while the lag lasts long enough. `at` is ms of a clock without steps. */
  note(measured: Measured, at: number): boolean {
    const late = isLate(measured);
    if (late === false) this.#since = null;
    if (late !== true) return false;
    if (this.#since === null || at - this.#lateAt > longestGapMs) this.#since = at;
    this.#lateAt = at;
    return at - this.#since >= lagHeldMs;
  }
}
