import { setImmediate } from "node:timers/promises";
import { isBelowUnusual, type BucketExtremes } from "../../core/health/calm.ts";
import { loadBucketMs } from "../../core/health/load-buckets.ts";
import { isDueForTimeline } from "../../core/health/stored-health.ts";
import { isUnchanged } from "../../core/health/turn.ts";
import { rollupStart } from "../../core/metric/chunk.ts";
import {
  onlineWithinMs,
  siteStep,
  statusWhileAccepted,
  unresponsiveFromMs,
} from "../../core/server/status.ts";
import { minuteMs, utcDay, type Instant } from "../../core/time.ts";
import { followSlowness } from "../../services/health/follow-slowness.ts";
import { refreshBaseline } from "../../services/health/refresh-baseline.ts";
import { announceVerdict, saveSlowness } from "../../services/health/save-evaluation.ts";
import type { StoredBaseline } from "../../store/health/baselines.ts";
import {
  selectChangedServers,
  selectExtremes,
  selectTurnPage,
  type TurnPosition,
  type TurnServer,
} from "../../store/health/turn-queries.ts";
import type { JobDeps } from "../deps.ts";
import { evaluateServerHealth } from "./evaluate-server-health.ts";

/** Servers looked up at once; between two pages other work gets its turn. */
const pageSize = 100;

/** Samples come at least every minute, so those of a bucket are there a minute after its end. */
const lateMs = minuteMs;

/** Baselines that one turn works out, so that the first turn of a day is not longer than the others. */
const baselinesATurn = 100;

/**
 * Keeps the health of every monitored server: a server whose state may have changed is evaluated at once, and all when
 * five minutes are over. A server that fails is reported, and the others are evaluated all the same.
 */
export async function tendHealth(deps: JobDeps, previous: Instant | null): Promise<void> {
  const now = deps.clock();
  await evaluateChanged(deps, now);
  const closed = rollupStart(now - lateMs);
  if (previous === null || rollupStart(previous - lateMs) !== closed) await closeBucket(deps, now, closed);
}

async function evaluateChanged(deps: JobDeps, now: Instant): Promise<void> {
  const { db, warn, signal } = deps;
  const limits = { now, onlineMs: onlineWithinMs, hungMs: unresponsiveFromMs };
  let after = "";
  for (;;) {
    const page: string[] = await db.read(selectChangedServers, after, limits, pageSize);
    for (const id of page) {
      if (signal.aborted) return;
      await evaluateServerHealth(deps, id, now).catch((error: unknown) => warn("health", error));
      await setImmediate();
    }
    after = page.at(-1) ?? "";
    if (page.length < pageSize) return;
  }
}

/** One walk over all servers when a bucket is over. */
interface Turn {
  readonly now: Instant;
  /** The end of the bucket. */
  readonly closed: Instant;
  baselinesLeft: number;
}

async function closeBucket(deps: JobDeps, now: Instant, closed: Instant): Promise<void> {
  const { db, warn, signal, plans } = deps;
  const turn: Turn = { now, closed, baselinesLeft: baselinesATurn };
  let last: TurnPosition | null = null;
  let rank = 0;
  for (;;) {
    const page: TurnServer[] = await db.read(selectTurnPage, last, closed - loadBucketMs, pageSize);
    const ids = page.map(({ id }) => id);
    const extremes = await db.read(selectExtremes, ids, closed - loadBucketMs, closed);
    for (const server of page) {
      if (signal.aborted) return;
      rank = server.accountId === last?.accountId ? rank + 1 : 1;
      last = server;
      const known = { monitoringEnabled: true, enabledRank: rank, enabledServers: rank };
      if (siteStep(known, plans[server.ownerPlan]) !== "on") continue;
      await closeOf(deps, server, extremes.get(server.id) ?? null, turn).catch((error: unknown) =>
        warn("health", error),
      );
    }
    await setImmediate();
    if (page.length < pageSize) return;
  }
}

async function closeOf(
  deps: JobDeps,
  server: TurnServer,
  extremes: BucketExtremes | null,
  turn: Turn,
): Promise<void> {
  const { now, closed } = turn;
  const { state } = statusWhileAccepted(server, now);
  if (state === "never_seen") return;
  const baseline = await currentBaseline(deps, server, turn);
  const isSlow = extremes !== null && (await isSlower(deps, server, baseline, extremes, turn));
  const { stored, bootTimestamp: bootAt, hasOpenAlert, hasNewEntry } = server;
  const facts = { state, bootAt, stored, hasOpenAlert, hasNewEntry, isSlow, extremes };
  const measured = baseline?.measured ?? [];
  if (!isUnchanged({ ...facts, measured }, { now, to: closed, lengthMs: loadBucketMs }))
    await evaluateServerHealth(deps, server.id, now);
  else if (stored !== null && isDueForTimeline(stored, now))
    await deps.db.write(announceVerdict, server.id, now);
}

/** What is usual on this day; of a server whose turn has not come yet today, what was usual yesterday. */
async function currentBaseline(
  { db }: JobDeps,
  server: TurnServer,
  turn: Turn,
): Promise<StoredBaseline | null> {
  const { baseline } = server;
  if (baseline !== null && baseline.day === utcDay(turn.now)) return baseline;
  if (turn.baselinesLeft === 0) return baseline;
  turn.baselinesLeft -= 1;
  return await refreshBaseline(db, server, turn.now);
}

/** Follows the server's ticks through the bucket; whether they are slower than usual after it. */
async function isSlower(
  { db }: JobDeps,
  server: TurnServer,
  baseline: StoredBaseline | null,
  extremes: BucketExtremes,
  { now, closed }: Turn,
): Promise<boolean> {
  if (baseline === null) return false;
  const { slowState } = baseline;
  if (slowState === null && isBelowUnusual(extremes, baseline.baseline)) return false;
  const followed = await followSlowness(db, server, baseline, closed);
  if (slowState !== null || followed.slowState !== null)
    await db.write(saveSlowness, server.id, followed.slowState, followed.changes, now);
  // A finding that just ended changes the verdict too.
  return (followed.slowState?.open ?? slowState?.open ?? null) !== null;
}
