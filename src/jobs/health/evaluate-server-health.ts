import { regressionSince } from "../../services/auto-bench/scheduled-runs.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import type { Instant } from "../../core/time.ts";
import { readTogether, type ReadTogether } from "../../services/health/read-together.ts";
import { readVerdictFacts } from "../../services/health/read-verdict-facts.ts";
import { saveEvaluation } from "../../services/health/save-evaluation.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import type { JobDeps } from "../deps.ts";

/** Servers read at once: 2 to 3 ms of the thread on SQLite. */
const readAtATime = 25;

/** A server to evaluate; `slowState` where it is not stored yet. */
export interface DueServer {
  readonly id: string;
  readonly slowState?: LevelState | null;
}

interface EvaluationDeps extends Pick<JobDeps, "plans"> {
  readonly db: Database;
  /** Called for a server that failed; the others are evaluated all the same. */
  readonly report: (error: unknown) => void;
}

/** Yields the work that stores each server's health of the last 24 hours; none for an unlinked server. */
export async function* evaluations(
  { db, plans, report }: EvaluationDeps,
  due: readonly DueServer[],
  now: Instant,
): AsyncGenerator<() => Work<void>> {
  for (let first = 0; first < due.length; first += readAtATime) {
    const together = new Map(due.slice(first, first + readAtATime).map((server) => [server.id, server]));
    for (const read of await readTogether(db, [...together.keys()], now, report)) {
      const save = await evaluation(read, together.get(read.server.id)?.slowState).catch(report);
      if (save) yield save;
    }
  }

  async function evaluation(read: ReadTogether, slowState: DueServer["slowState"]) {
    const { server, stored } = read;
    const limits = plans[server.ownerPlan];
    const request = { ...read, limits, now, regressionSince: await regressionSince(db, server, now) };
    const { facts, findings } = await readVerdictFacts(db, { ...request, slowState });
    const { findings: _, ...evaluation } = judgeHealth(facts, findings);
    const occasion = { now, seenMark: stored?.evaluatedAt ?? null };
    return () => saveEvaluation(server.id, evaluation, occasion);
  }
}

/** Evaluates the health of one server, and stores it. */
export async function evaluateServerHealth(
  { db, plans }: Pick<JobDeps, "db" | "plans">,
  id: string,
  now: Instant,
): Promise<void> {
  const report = (error: unknown): never => {
    throw error;
  };
  for await (const save of evaluations({ db, plans, report }, [{ id }], now)) await db.write(save);
}
