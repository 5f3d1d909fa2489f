import { sweepServers } from "../services/alert/sweep-servers.ts";
import { selectWatchedServers } from "../store/alert/alerts.ts";
import type { JobDeps } from "./deps.ts";
import { nextTurn } from "../core/turns.ts";

/** Servers read at once: with five rules each that takes some 2 ms; after them other work gets its turn. */
const pageSize = 25;

/** Where these servers cannot be evaluated together, each is alone, and what is wrong with one is reported. */
async function sweepPage(deps: JobDeps, ids: readonly string[]): Promise<void> {
  const { db, plans, clock, warn, signal } = deps;
  try {
    await sweepServers(db, ids, (plan) => plans[plan], clock(), signal);
  } catch (error) {
    if (ids.length === 1) return warn("sweep", error);
    for (const id of ids) {
      if (signal.aborted) return;
      await sweepPage(deps, [id]);
    }
  }
}

/**
 * Evaluates every monitored server by time alone: silence, and the ends of maintenance and mutes. A server that
 * fails is reported, and the others are evaluated all the same.
 */
export async function sweepAlerts(deps: JobDeps): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page: string[] = await deps.db.read(selectWatchedServers, after, pageSize);
    after = page.at(-1) ?? null;
    if (after === null || deps.signal.aborted) return;
    await sweepPage(deps, page);
    await nextTurn();
  }
}
