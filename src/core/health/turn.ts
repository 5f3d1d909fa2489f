import type { ServerState } from "../server/status.ts";
import { minuteMs, type Instant } from "../time.ts";
import { isCalm, type BucketExtremes } from "./calm.ts";
import type { SteadyField } from "./health-fields.ts";
import type { StoredHealth } from "./stored-health.ts";
import { startingMs } from "./thresholds.ts";

export interface TurnFacts {
  readonly state: ServerState;
  readonly bootAt: Instant | null;
  readonly stored: (Pick<StoredHealth, "verdict" | "verdictFrom"> & { readonly hasReasons: boolean }) | null;
  /** Marked, or due for its daily evaluation: heaps grow and benchmarks age without a new sample. */
  readonly isDue: boolean;
  /** One turn of every three; each third of the servers has another one. */
  readonly isOwnTurn: boolean;
  readonly hasOpenAlert: boolean;
  readonly hasNewEntry: boolean;
  readonly isSlow: boolean;
  readonly measured: readonly SteadyField[];
  readonly extremes: BucketExtremes | null;
}

/** Agents without access to the console measure no ticks; such servers are judged by the rest. */
const hasNoTicks = ({ extremes }: TurnFacts): boolean =>
  extremes !== null && extremes.leastTps === null && extremes.mostMspt === null;

/** A server critical for this long is evaluated every third turn, unless its bucket is calm, ms. */
const settledMs = 15 * minuteMs;
export const steadyTurns = 3;

interface TurnTimes {
  readonly now: Instant;
  readonly to: Instant;
  readonly lengthMs: number;
}

/**
 * Whether a server was critical for a while and still is. It can only get worse by its state, which is
 * checked each minute, and a calm bucket has it evaluated at once.
 */
function isSteady(facts: TurnFacts, { now, to, lengthMs }: TurnTimes): boolean {
  const { stored, extremes, measured, hasNewEntry, isOwnTurn } = facts;
  if (stored?.verdict !== "critical" || hasNewEntry || extremes === null || isOwnTurn) return false;
  return now - stored.verdictFrom >= settledMs && !isCalm(extremes, { to, lengthMs, measured });
}

/**
 * Whether an evaluation would repeat the stored one, judged by the bucket from `to` - `lengthMs` to `to`. A
 * running server needs a calm bucket for that.
 */
export function isUnchanged(facts: TurnFacts, { now, to, lengthMs }: TurnTimes): boolean {
  const { state, stored, bootAt } = facts;
  if (stored === null || facts.isDue) return false;
  if (state === "unreachable") return stored.verdict === "down";
  // Whether it answers a ping may change.
  if (state === "unresponsive") return false;
  if (state === "stopped" || state === "paused") return stored.verdict === "stopped";
  if (state === "running" && isSteady(facts, { now, to, lengthMs })) return true;
  const isQuiet = !stored.hasReasons && !facts.hasOpenAlert && !facts.hasNewEntry && !facts.isSlow;
  if (state === "paused_empty") return isQuiet && stored.verdict === "healthy";
  const isStarted = bootAt === null || to - bootAt >= startingMs + lengthMs;
  const isSame = stored.verdict === "healthy" || (stored.verdict === "unknown" && hasNoTicks(facts));
  return (
    isQuiet &&
    isStarted &&
    isSame &&
    facts.extremes !== null &&
    isCalm(facts.extremes, { to, lengthMs, measured: facts.measured })
  );
}
