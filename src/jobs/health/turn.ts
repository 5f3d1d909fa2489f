import { closedAt } from "../../core/health/closed-bucket.ts";
import type { Instant } from "../../core/time.ts";
import { pacer } from "../../core/turns.ts";
import type { JobDeps } from "../deps.ts";
import { evaluations, type DueServer } from "../../services/health/evaluate-servers.ts";
import { WriteBatch } from "./write-batch.ts";

/** Most baselines and most daily evaluations in one turn; after a time off, several turns catch up. */
const dayWorkATurn = 100;

export interface HealthTurn {
  readonly deps: JobDeps;
  readonly now: Instant;
  readonly closed: Instant;
  readonly writes: WriteBatch;
  readonly pause: () => Promise<void>;
  readonly report: (error: unknown) => void;
  baselinesLeft: number;
  evaluationsLeft: number;
}

export function newTurn(deps: JobDeps, now: Instant): HealthTurn {
  const report = (error: unknown): void => deps.warn("health", error);
  return {
    deps,
    now,
    closed: closedAt(now),
    writes: new WriteBatch(deps.db, report),
    pause: pacer(),
    report,
    baselinesLeft: dayWorkATurn,
    evaluationsLeft: dayWorkATurn,
  };
}

/** A server that fails is reported and does not stop the others. */
export async function evaluateDue(turn: HealthTurn, due: readonly DueServer[]): Promise<void> {
  const { deps, now, writes, pause, report } = turn;
  const { db, plans, signal } = deps;
  for await (const save of evaluations({ db, plans, report }, due, now)) {
    await writes.add(save);
    if (signal.aborted) return;
    await pause();
  }
}
