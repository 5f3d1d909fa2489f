import { isBelowUnusual, type BucketExtremes } from "../../core/health/calm.ts";
import { isTurnOf, lastDaySlot } from "../../core/health/day-slot.ts";
import { loadBucketMs } from "../../core/health/load-buckets.ts";
import { isDueForTimeline } from "../../core/health/stored-health.ts";
import { isUnchanged, steadyTurns } from "../../core/health/turn.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { rollupStart } from "../../core/metric/chunk.ts";
import {
  onlineWithinMs,
  siteStep,
  statusWhileAccepted,
  unresponsiveFromMs,
} from "../../core/server/status.ts";
import { minuteMs, utcDay, type Instant } from "../../core/time.ts";
import { followSlowness } from "../../services/health/follow-slowness.ts";
import { workOutBaseline } from "../../services/health/refresh-baseline.ts";
import { announceVerdict, saveSlowness } from "../../services/health/save-evaluation.ts";
import { pacer } from "../../services/in-turns.ts";
import type { StoredBaseline } from "../../store/health/baselines.ts";
import {
  selectChangedServers,
  selectExtremes,
  selectTurnPage,
  type TurnPosition,
  type TurnServer,
} from "../../store/health/turn-queries.ts";
import type { JobDeps } from "../deps.ts";
import { evaluation } from "./evaluate-server-health.ts";
import { WriteBatch } from "./write-batch.ts";

/** Servers looked up at once, and those looked at for a change of their state: 1 to 3 ms of the thread on SQLite. */
const pageSize = 50;
const changedPageSize = 1000;

/** Samples come at least every minute, so those of a bucket are there a minute after its end. */
const lateMs = minuteMs;

/**
 * Work of the day that one turn does at most, of each kind: every server has its own time of the day for it, and what a
 * service that was off has missed is made up for in several turns.
 */
const dayWorkATurn = 100;

/**
 * Keeps the health of every monitored server: a server whose state may have changed is evaluated at once, and all when
 * five minutes are over. A server that fails is reported, and the others are evaluated all the same.
 */
export async function tendHealth(deps: JobDeps, previous: Instant | null): Promise<void> {
  const now = deps.clock();
  const turn = newTurn(deps, now);
  await evaluateChanged(turn);
  if (previous === null || rollupStart(previous - lateMs) !== turn.closed) await closeBucket(turn);
}

/** One turn of the job. */
interface Turn {
  readonly deps: JobDeps;
  readonly now: Instant;
  /** The end of the newest bucket that is over. */
  readonly closed: Instant;
  readonly writes: WriteBatch;
  readonly pause: () => Promise<void>;
  baselinesLeft: number;
  evaluationsLeft: number;
}

const newTurn = (deps: JobDeps, now: Instant): Turn => ({
  deps,
  now,
  closed: rollupStart(now - lateMs),
  writes: new WriteBatch(deps.db, (error) => deps.warn("health", error)),
  pause: pacer(),
  baselinesLeft: dayWorkATurn,
  evaluationsLeft: dayWorkATurn,
});

async function evaluateChanged({ deps, now, writes, pause }: Turn): Promise<void> {
  const { db, warn, signal } = deps;
  const limits = { now, onlineMs: onlineWithinMs, hungMs: unresponsiveFromMs };
  let after: string | null = "";
  while (after !== null) {
    const page: Awaited<ReturnType<typeof nextChanged>> = await nextChanged(after);
    for (const id of page.ids) {
      if (signal.aborted) return;
      await evaluation(deps, id, now)
        .then((save) => save && writes.add(save))
        .catch((error: unknown) => warn("health", error));
      await pause();
    }
    await writes.flush();
    await pause();
    after = page.next;
  }

  function nextChanged(from: string) {
    return db.read(selectChangedServers, from, limits, changedPageSize);
  }
}

async function closeBucket(turn: Turn): Promise<void> {
  const { deps, closed, writes, pause } = turn;
  const { db, warn, signal, plans } = deps;
  let last: TurnPosition | null = null;
  let rank = 0;
  for (;;) {
    const page: TurnServer[] = await db.read(selectTurnPage, last, closed - loadBucketMs, pageSize);
    await pause();
    const ids = page.map(({ id }) => id);
    const extremes = await db.read(selectExtremes, ids, closed - loadBucketMs, closed);
    for (const server of page) {
      if (signal.aborted) return;
      await pause();
      rank = server.accountId === last?.accountId ? rank + 1 : 1;
      last = server;
      const known = { monitoringEnabled: true, enabledRank: rank, enabledServers: rank };
      if (siteStep(known, plans[server.ownerPlan]) !== "on") continue;
      await closeOf(server, extremes.get(server.id) ?? null, turn).catch((error: unknown) =>
        warn("health", error),
      );
    }
    if (page.length < pageSize) break;
  }
  await writes.flush();
}

async function closeOf(server: TurnServer, extremes: BucketExtremes | null, turn: Turn): Promise<void> {
  const { deps, now, closed, writes } = turn;
  const { state } = statusWhileAccepted(server, now);
  if (state === "never_seen") return;
  const baseline = await currentBaseline(server, turn);
  const slowState = await slowStateAfter(server, baseline, extremes, turn);
  // A finding that just ended changes the verdict too.
  const isSlow = extremes !== null && (slowState?.open ?? baseline?.slowState?.open ?? null) !== null;
  const { stored, bootTimestamp: bootAt, hasOpenAlert, hasNewEntry } = server;
  const facts = { state, bootAt, stored, hasOpenAlert, hasNewEntry, isSlow, extremes };
  const isDue = isEvaluationDue(server, turn);
  const isOwnTurn = isTurnOf(server.id, closed, steadyTurns);
  const measured = baseline?.measured ?? [];
  if (!isUnchanged({ ...facts, isDue, isOwnTurn, measured }, { now, to: closed, lengthMs: loadBucketMs })) {
    const save = await evaluation(deps, server.id, now, { hasOpenAlert, slowState });
    if (save) await writes.add(save);
  } else if (stored !== null && isDueForTimeline(stored, now))
    await writes.add(() => announceVerdict(server.id, now));
}

/** Whether the evaluation is marked, or was made before the server's time of the day. */
function isEvaluationDue({ id, stored }: TurnServer, turn: Turn): boolean {
  if (stored === null || stored.evaluatedAt >= lastDaySlot(id, turn.now)) return false;
  if (stored.evaluatedAt < 0) return true;
  turn.evaluationsLeft -= 1;
  return turn.evaluationsLeft >= 0;
}

/** What is usual on this day; of a server whose time of the day has not come yet, what was usual yesterday. */
async function currentBaseline(server: TurnServer, turn: Turn): Promise<StoredBaseline | null> {
  const { baseline } = server;
  if (baseline !== null && baseline.day >= utcDay(lastDaySlot(server.id, turn.now))) return baseline;
  if (turn.baselinesLeft === 0) return baseline;
  turn.baselinesLeft -= 1;
  const { baseline: workedOut, save } = await workOutBaseline(turn.deps.db, server, turn.now);
  await turn.writes.add(save);
  return workedOut;
}

/** Follows the server's ticks through the bucket: how they stand after it. */
async function slowStateAfter(
  server: TurnServer,
  baseline: StoredBaseline | null,
  extremes: BucketExtremes | null,
  { deps, now, closed, writes }: Turn,
): Promise<LevelState | null> {
  if (baseline === null || extremes === null) return baseline?.slowState ?? null;
  const { slowState } = baseline;
  if (slowState === null && isBelowUnusual(extremes, baseline.baseline)) return null;
  const followed = await followSlowness(deps.db, server, baseline, closed);
  if (slowState !== null || followed.slowState !== null)
    await writes.add(() => saveSlowness(server.id, followed.slowState, followed.changes, now));
  return followed.slowState;
}
