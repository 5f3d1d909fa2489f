import { regressionSince } from "../auto-bench/scheduled-runs.ts";
import type { Plans } from "../../core/access/plan.ts";
import { judgeHealth } from "../../core/health/evaluate.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import type { Instant } from "../../core/time.ts";
import { judgeAgain } from "./judge-again.ts";
import { readTogether, type ReadTogether } from "./read-together.ts";
import { readVerdictFacts } from "./read-verdict-facts.ts";
import { saveEvaluation } from "./save-evaluation.ts";
import type { Database, Work } from "../../store/engine/database.ts";

/** Servers read at once: 2 to 3 ms of the thread on SQLite. */
const readAtATime = 25;

/** A server to evaluate; `slowState` where it is not stored yet. */
export interface DueServer {
  readonly id: string;
  readonly slowState?: LevelState | null;
  /** Until when the past is judged again, because data of it arrived; only the present if left out. */
  readonly againUntil?: Instant;
}

interface EvaluationDeps {
  readonly db: Database;
  readonly plans: Plans;
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
    return () => saveEvaluation(server.id, evaluation, occasion, again);
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
  { db, plans }: Pick<EvaluationDeps, "db" | "plans">,
  id: string,
  now: Instant,
): Promise<void> {
  const report = (error: unknown): never => {
    throw error;
  };
  for await (const save of evaluations({ db, plans, report }, [{ id }], now)) await db.write(save);
}

/** Most evaluations outside the job, which reads many servers together for less: under way, and begun each second. */
const mostAtOnce = 4;
const mostEachSecond = 10;
/** As many more may begin after a pause, so that a network that starts again is judged at once. */
const mostSaved = 100;

/** What the evaluations outside the job have left. */
interface Allowance {
  underWay: number;
  /** Of `mostSaved`, and when it was so, ms of the monotonic clock. */
  left: number;
  at: number;
}

/** Keyed by `read`, because each call has its own `Database` object. */
const allowances = new WeakMap<Database["read"], Allowance>();

function allowanceOf({ read }: Database): Allowance {
  const at = performance.now();
  const known = allowances.get(read) ?? { underWay: 0, left: mostSaved, at };
  allowances.set(read, known);
  known.left = Math.min(mostSaved, known.left + ((at - known.at) / 1000) * mostEachSecond);
  known.at = at;
  return known;
}

/**
 * Evaluates a server whose state or alerts just changed, so that every answer agrees at once. Never throws: where it
 * fails, or many servers change together, the job evaluates the server within minutes.
 */
export async function evaluateAtOnce(
  deps: Pick<EvaluationDeps, "db" | "plans">,
  id: string,
  now: Instant,
): Promise<void> {
  const allowance = allowanceOf(deps.db);
  if (allowance.underWay >= mostAtOnce || allowance.left < 1) return;
  allowance.underWay += 1;
  allowance.left -= 1;
  try {
    await evaluateServerHealth(deps, id, now);
  } catch {
    // What was received is stored already, and its sender need not send it again.
  } finally {
    allowance.underWay -= 1;
  }
}
