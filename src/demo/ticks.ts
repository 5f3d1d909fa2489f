import { rounded } from "./chance.ts";

const sampleSeconds = 30;
const fullTps = 20;
/** A server whose ticks take longer falls behind. */
const tickBudgetMs = 50;

export interface TickFigures {
  readonly tps: number;
  readonly mspt: number;
  readonly mspt_p95: number;
  readonly worst_tick_ms: number;
  readonly ticks_over_50ms: number;
  readonly lag_seconds: number;
}

/** `workMs` is an ordinary tick, `spikeMs` one slow tick (0: none), `unrest` (0 to 1) spreads the ticks. */
export function tickFigures(workMs: number, spikeMs: number, unrest: number): TickFigures {
  const p95 = workMs * (1.3 + 0.3 * unrest) + 1;
  const behind = workMs > tickBudgetMs ? sampleSeconds * (1 - tickBudgetMs / workMs) : 0;
  const lag = Math.min(sampleSeconds, behind + Math.max(0, spikeMs - tickBudgetMs) / 1000);
  const tps = fullTps * (1 - lag / sampleSeconds);
  const ticks = tps * sampleSeconds;
  // The 95th percentile is 1.645 deviations above the mean; a logistic curve stands in for the normal one.
  const deviation = (p95 - workMs) / 1.645;
  const late = 1 / (1 + Math.exp((1.702 * (tickBudgetMs - workMs)) / deviation));
  return {
    tps: rounded(tps, 2),
    mspt: rounded(workMs + spikeMs / Math.max(1, ticks), 2),
    mspt_p95: rounded(p95, 2),
    worst_tick_ms: rounded(Math.max(p95 * (1.15 + 0.5 * unrest), spikeMs)),
    ticks_over_50ms: Math.round(ticks * late) + (spikeMs > tickBudgetMs ? 1 : 0),
    lag_seconds: rounded(lag, 2),
  };
}
