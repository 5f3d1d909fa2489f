import { isBelowUnusual, type BucketExtremes } from "../../core/health/calm.ts";
import { isTurnOf, lastDaySlot } from "../../core/health/day-slot.ts";
import { bucketMs } from "../../core/metric/chunk.ts";
import { isDueForTimeline } from "../../core/health/stored-health.ts";
import { isUnchanged, steadyTurns } from "../../core/health/turn.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { siteStep, statusWhileAccepted, type ServerState } from "../../core/server/status.ts";
import { utcDay } from "../../core/time.ts";
import { followSlowness } from "../../services/health/follow-slowness.ts";
import { presentSince } from "../../services/health/read-together.ts";
import { isFollowing, workOutBaseline } from "../../services/health/refresh-baseline.ts";
import { announceVerdict, saveSlowness } from "../../services/health/save-evaluation.ts";
import type { StoredBaseline } from "../../store/health/baselines.ts";
import { selectPresentFacts, type PresentFacts } from "../../store/health/present-facts.ts";
import {
  selectExtremes,
  selectTurnPage,
  type TurnPosition,
  type TurnServer,
} from "../../store/health/turn-queries.ts";
import type { DueServer } from "../../services/health/evaluate-servers.ts";
import { evaluateDue, type HealthTurn } from "./turn.ts";

/** Servers read at once: 1 to 3 ms of the thread on SQLite. */
const pageSize = 50;

/** Writing 14 days of buckets takes as long as 25 evaluations: 2 to 3 ms of the thread on SQLite. */
const baselineWeight = 25;

interface ClosingServer {
  readonly server: TurnServer;
  readonly state: ServerState;
  readonly extremes: BucketExtremes | null;
  readonly baseline: StoredBaseline | null;
  /** Whether data of the past arrived, and the turn may judge it again. */
  readonly isAgain: boolean;
  /** Whether its ticks are followed through the bucket: `never` where the baseline was worked out just now. */
  readonly follows: "never" | "if slow" | "always";
}

export async function closeBucket(turn: HealthTurn): Promise<void> {
  const { deps, closed, writes, pause } = turn;
  const { db, signal, plans } = deps;
  let last: TurnPosition | null = null;
  let rank = 0;
  for (;;) {
    const page: TurnServer[] = await db.read(selectTurnPage, last, closed - bucketMs, pageSize);
    await pause();
    const ids = page.map(({ id }) => id);
    const extremes = await db.read(selectExtremes, ids, closed - bucketMs, closed);
    const closing: ClosingServer[] = [];
    for (const server of page) {
      if (signal.aborted) return;
      await pause();
      rank = server.accountId === last?.accountId ? rank + 1 : 1;
      last = server;
      const { ownerSuspended } = server;
      const known = { ownerSuspended, monitoringEnabled: true, enabledRank: rank, enabledServers: rank };
      if (siteStep(known, plans[server.ownerPlan]) !== "on") continue;
      const { state } = statusWhileAccepted(server, turn.now);
      if (state === "never_seen") continue;
      const worked = await currentBaseline(server, turn).catch(turn.report);
      if (worked) closing.push({ server, state, extremes: extremes.get(server.id) ?? null, ...worked });
    }
    await closePage(closing, turn);
    if (page.length < pageSize) break;
  }
  await writes.flush();
}

async function closePage(page: readonly ClosingServer[], turn: HealthTurn): Promise<void> {
  const { deps, now, closed, report, pause } = turn;
  const followed = page.filter(isFollowed).map(({ server }) => server.id);
  const present =
    followed.length === 0
      ? new Map<string, PresentFacts>()
      : await deps.db.read(selectPresentFacts, followed, presentSince(closed));
  const due: DueServer[] = [];
  for (const closing of page) {
    if (deps.signal.aborted) return;
    await pause();
    await closeOf(closing).catch(report);
  }
  await evaluateDue(turn, due);

  async function closeOf(closing: ClosingServer): Promise<void> {
    const { server } = closing;
    const slowState = isFollowed(closing)
      ? await slowStateAfter(closing, turn, present.get(server.id))
      : (closing.baseline?.slowState ?? null);
    if (closing.isAgain || needsEvaluation(closing, slowState, turn))
      due.push({ id: server.id, slowState, ...(closing.isAgain && { againUntil: closed }) });
    else if (server.stored !== null && isDueForTimeline(server.stored, now))
      await turn.writes.add(() => announceVerdict(server.id, now));
  }
}

function needsEvaluation(
  { server, state, extremes, baseline }: ClosingServer,
  slowState: LevelState | null,
  turn: HealthTurn,
): boolean {
  const { now, closed } = turn;
  // If a finding ended in this bucket, the verdict changes too.
  const isSlow = extremes !== null && (slowState?.open ?? baseline?.slowState?.open ?? null) !== null;
  return !isUnchanged(
    {
      state,
      bootAt: server.bootTimestamp,
      stored: server.stored,
      isDue: isEvaluationDue(server, turn),
      isOwnTurn: isTurnOf(server.id, closed, steadyTurns),
      hasOpenAlert: server.hasOpenAlert,
      hasNewEntry: server.hasNewEntry,
      isSlow,
      measured: baseline?.measured ?? [],
      extremes,
    },
    { now, to: closed, lengthMs: bucketMs },
  );
}

/** An evaluation below 0 is marked as due; else it is due at the server's time of the day. */
function isEvaluationDue({ id, stored }: TurnServer, turn: HealthTurn): boolean {
  if (stored === null || stored.evaluatedAt >= lastDaySlot(id, turn.now)) return false;
  if (stored.evaluatedAt < 0) return true;
  turn.evaluationsLeft -= 1;
  return turn.evaluationsLeft >= 0;
}

/**
 * Returns the earlier baseline until the server's time of the day, or if the turn may work out no more. Data
 * from before that time of the day make it due again.
 */
async function currentBaseline(
  server: TurnServer,
  turn: HealthTurn,
): Promise<Pick<ClosingServer, "baseline" | "isAgain" | "follows">> {
  const { baseline, stored } = server;
  const slot = lastDaySlot(server.id, turn.closed);
  const reopenedFrom = stored?.reopenedFrom ?? null;
  const isSince = reopenedFrom !== null && reopenedFrom >= slot;
  // A server whose data always comes so late that days are judged again is not judged again in each turn.
  const isAgain = reopenedFrom !== null && (isSince || isTurnOf(server.id, turn.closed, steadyTurns));
  if (baseline !== null && baseline.day >= utcDay(slot) && (!isAgain || isSince))
    return isAgain
      ? { baseline: { ...baseline, slowState: null }, isAgain, follows: "always" }
      : { baseline, isAgain, follows: "if slow" };
  if (turn.baselinesLeft === 0) return { baseline, isAgain: false, follows: "if slow" };
  turn.baselinesLeft -= 1;
  const { db } = turn.deps;
  const { baseline: workedOut, save } = await workOutBaseline(db, server, turn.closed, reopenedFrom);
  await turn.writes.add(save, baselineWeight);
  return { baseline: workedOut, isAgain, follows: "never" };
}

/** True if the server's ticks were slow before the bucket, one of its samples was, or older ones arrived. */
function isFollowed({ follows, baseline, extremes }: ClosingServer): boolean {
  if (baseline === null || follows === "never") return false;
  if (follows === "always") return true;
  return (
    extremes !== null && (isFollowing(baseline.slowState) || !isBelowUnusual(extremes, baseline.baseline))
  );
}

/** Follows the server's ticks through the bucket, saves the changes, and returns the state after it. */
async function slowStateAfter(
  { server, baseline, follows }: ClosingServer,
  { deps, now, closed, writes }: HealthTurn,
  present: PresentFacts | undefined,
): Promise<LevelState | null> {
  if (baseline === null) return null;
  const followed = await followSlowness(deps.db, server, baseline, closed, present);
  if (follows === "always" || baseline.slowState !== null || followed.slowState !== null)
    await writes.add(() => saveSlowness(server.id, followed.slowState, followed.changes, now));
  return followed.slowState;
}
