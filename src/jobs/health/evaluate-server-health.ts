import { regressionSince } from "../../services/auto-bench/scheduled-runs.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import type { Instant } from "../../core/time.ts";
import { readTogether, type ReadTogether } from "../../services/health/read-together.ts";
import { readVerdictFacts } from "../../services/health/read-verdict-facts.ts";
import { judgeAgain } from "../../services/health/judge-again.ts";
import { saveAgain, saveEvaluation } from "../../services/health/save-evaluation.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import type { JobDeps } from "../deps.ts";

/** Servers read at once: 2 to 3 ms of the thread on SQLite. */
const readAtATime = 25;

/** A server to evaluate; `slowState` where it is not stored yet. */
export interface DueServer {
  readonly id: string;
  readonly slowState?: LevelState | null;
  /** Until when the past is judged again, because data of it arrived; only the present if left out. */
  readonly againUntil?: Instant;
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
      const save = await evaluation(read, together.get(read.server.id)).catch(report);
      if (save) yield save;
    }
  }

  async function evaluation(read: ReadTogether, { slowState, againUntil }: Partial<DueServer> = {}) {
    const { server, stored } = read;
    const limits = plans[server.ownerPlan];
    const request = { ...read, limits, now, regressionSince: await regressionSince(db, server, now) };
    const again = await judgedAgain(request, againUntil);
    const known = again === null ? request : { ...request, stored: again.stored };
    const { facts, findings } = await readVerdictFacts(db, { ...known, slowState });
    const { findings: _, ...evaluation } = judgeHealth(facts, findings);
    const occasion = { now, seenMark: stored?.evaluatedAt ?? null };
    return again === null
      ? () => saveEvaluation(server.id, evaluation, occasion)
      : () => saveAgain(server.id, evaluation, again, occasion);
  }

  async function judgedAgain(request: Parameters<typeof judgeAgain>[1], closed: Instant | undefined) {
    const from = request.stored?.reopenedFrom ?? null;
    return from === null || closed === undefined
      ? null
      : await judgeAgain(db, request, { from, closed, now });
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
