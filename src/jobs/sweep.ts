import { sweepServer } from "../services/alert/sweep-server.ts";
import { selectWatchedServers } from "../store/alert/alerts.ts";
import { setImmediate } from "node:timers/promises";
import type { JobDeps } from "./deps.ts";

/** Servers looked up at once; between two of them other work gets its turn. */
const pageSize = 200;

/**
 * Evaluates every monitored server by time alone: silence, and the ends of maintenance and mutes. A server that
 * fails is reported, and the others are evaluated all the same.
 */
export async function sweepAlerts(deps: JobDeps): Promise<void> {
  const { db, plans, clock, warn, signal } = deps;
  let after: string | null = null;
  for (;;) {
    const page: string[] = await db.read(selectWatchedServers, after, pageSize);
    for (const server of page) {
      if (signal.aborted) return;
      await sweepServer(db, server, (plan) => plans[plan], clock()).catch((error: unknown) =>
        warn("sweep", error),
      );
      await setImmediate();
    }
    after = page.at(-1) ?? null;
    if (after === null) return;
  }
}
