import type { AppContext } from "../contract/call/app-context.ts";
import { unseenLevelState } from "../core/health/unusual-level.ts";
import { bucketStart } from "../core/metric/chunk.ts";
import { dayMs, minuteMs, type Instant } from "../core/time.ts";
import { evaluateServerHealth } from "../jobs/health/evaluate-server-health.ts";
import { followSlowness } from "../services/health/follow-slowness.ts";
import { refreshBaseline } from "../services/health/refresh-baseline.ts";
import { saveSlowness } from "../services/health/save-evaluation.ts";
import type { DemoServer } from "./server.ts";

/** Evaluates every server at once; if a server has a history, also bucket by bucket for the last day. */
export async function settleHealth(
  app: AppContext,
  servers: readonly DemoServer[],
  now: Instant,
): Promise<void> {
  for (const { id, spec, simulated } of servers) {
    if (spec.historyDays > 0) await judgeLastDay(app, { id, bootTimestamp: simulated.bootedAt }, now);
    await evaluateServerHealth(app, id, now);
  }
}

async function judgeLastDay(
  { db }: AppContext,
  server: { readonly id: string; readonly bootTimestamp: Instant },
  now: Instant,
): Promise<void> {
  const closed = bucketStart(now - minuteMs);
  const { baseline } = await refreshBaseline(db, server, now);
  const dayBefore = { ...unseenLevelState, seenTo: closed - dayMs };
  const followed = await followSlowness(db, server, { baseline, slowState: dayBefore }, closed);
  await db.write(saveSlowness, server.id, followed.slowState, followed.changes, now);
}
