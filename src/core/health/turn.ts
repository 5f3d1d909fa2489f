import type { ServerState } from "../server/status.ts";
import { minuteMs, type Instant } from "../time.ts";
import { isCalm, type BucketExtremes } from "./calm.ts";
import type { HealthField } from "./health-fields.ts";
import type { StoredHealth } from "./stored-health.ts";
import { startingMs } from "./thresholds.ts";

/** What a turn knows of a server before it reads more. */
export interface TurnFacts {
  readonly state: ServerState;
  readonly bootAt: Instant | null;
  readonly stored: (Pick<StoredHealth, "verdict" | "verdictFrom"> & { readonly hasReasons: boolean }) | null;
  /** It is marked, or its evaluation of the day is due: heaps grow, benchmarks age and rules are made without a sign. */
  readonly isDue: boolean;
  /** Of every three turns one, another one for each third of the servers. */
  readonly isOwnTurn: boolean;
  readonly hasOpenAlert: boolean;
  readonly hasNewEntry: boolean;
  readonly isSlow: boolean;
  readonly measured: readonly HealthField[];
  readonly extremes: BucketExtremes | null;
}

/** Agents that read no console measure neither, and their servers are judged by the rest. */
const hasNoTicks = ({ extremes }: TurnFacts): boolean =>
  extremes !== null && extremes.leastTps === null && extremes.mostMspt === null;

/** What has been critical for so long is evaluated in every third turn, while its buckets are not calm. */
const settledMs = 15 * minuteMs;
export const steadyTurns = 3;

interface TurnTimes {
  readonly now: Instant;
  readonly to: Instant;
  readonly lengthMs: number;
}

/**
 * Whether a server was critical for a while, and still is: it cannot become worse but by its state, which is looked for
 * each minute, and a calm bucket has it evaluated at once.
 */
function isSteady(facts: TurnFacts, { now, to, lengthMs }: TurnTimes): boolean {
  const { stored, extremes, measured, hasNewEntry, isOwnTurn } = facts;
  if (stored?.verdict !== "critical" || hasNewEntry || extremes === null || isOwnTurn) return false;
  return now - stored.verdictFrom >= settledMs && !isCalm(extremes, { to, lengthMs, measured });
}

/**
 * Whether the evaluation of a server would say what the stored one says, as far as the bucket from `to` − `lengthMs` to
 * `to` shows it. Of a server that runs this needs a calm bucket; one that is silent stays what it was.
 */
export function isUnchanged(facts: TurnFacts, { now, to, lengthMs }: TurnTimes): boolean {
  const { state, stored, bootAt } = facts;
  if (stored === null || facts.isDue) return false;
  if (state === "unreachable" || state === "unresponsive") return stored.verdict === "down";
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
