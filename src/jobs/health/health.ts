import { closedAt } from "../../core/health/closed-bucket.ts";
import { onlineWithinMs, unresponsiveFromMs } from "../../core/server/status.ts";
import { recoveredMs } from "../../core/health/stored-health.ts";
import type { Instant } from "../../core/time.ts";
import { selectChangedServers } from "../../store/health/changed-servers.ts";
import type { JobDeps } from "../deps.ts";
import { closeBucket } from "./close-bucket.ts";
import { evaluateDue, newTurn, type HealthTurn } from "./turn.ts";

/** Servers checked at once for a change of state: 1 to 3 ms of the thread on SQLite. */
const changedPageSize = 1000;

/** Evaluates servers whose state may have changed, and all servers when a bucket of five minutes is over. */
export async function tendHealth(deps: JobDeps, previous: Instant | null): Promise<void> {
  const turn = newTurn(deps, deps.clock());
  await evaluateChanged(turn);
  if (previous === null || closedAt(previous) !== turn.closed) await closeBucket(turn);
}

async function evaluateChanged(turn: HealthTurn): Promise<void> {
  const { deps, now, writes, pause } = turn;
  const { db, signal } = deps;
  const limits = { now, onlineMs: onlineWithinMs, hungMs: unresponsiveFromMs, recoveredMs };
  let after: string | null = "";
  while (after !== null) {
    const page: Awaited<ReturnType<typeof nextChanged>> = await nextChanged(after);
    const due = page.ids.map((id) => ({ id }));
    await evaluateDue(turn, due);
    if (signal.aborted) return;
    await writes.flush();
    await pause();
    after = page.next;
  }

  function nextChanged(from: string) {
    return db.read(selectChangedServers, from, limits, changedPageSize);
  }
}
