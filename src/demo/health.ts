import type { AppContext } from "../contract/call/app-context.ts";
import type { Instant } from "../core/time.ts";
import { evaluateServerHealth } from "../services/health/evaluate-servers.ts";
import { refreshBaseline } from "../services/health/refresh-baseline.ts";
import type { DemoServer } from "./server.ts";

/** Evaluates every server at once; one with a history also bucket by bucket for its last 14 days. */
export async function settleHealth(
  app: AppContext,
  servers: readonly DemoServer[],
  now: Instant,
): Promise<void> {
  for (const { id, spec, simulated } of servers) {
    if (spec.historyDays > 0) await refreshBaseline(app.db, { id, bootTimestamp: simulated.bootedAt }, now);
    await evaluateServerHealth(app, id, now);
  }
}
