import { bucketStart } from "../../core/metric/chunk.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import { pacer } from "../../core/turns.ts";
import type { JobDeps } from "../deps.ts";
import { evaluations, type DueServer } from "./evaluate-server-health.ts";
import { WriteBatch } from "./write-batch.ts";

/** Samples come at least every minute, so those of a bucket are there a minute after its end. */
const lateMs = minuteMs;

/**
 * Work of the day that one turn does at most, of each kind: every server has its own time of the day for it, and what a
 * service that was off has missed is made up for in several turns.
 */
const dayWorkATurn = 100;

/** One turn of the job of health. */
export interface HealthTurn {
  readonly deps: JobDeps;
  readonly now: Instant;
  /** The end of the newest bucket that is over. */
  readonly closed: Instant;
  readonly writes: WriteBatch;
  readonly pause: () => Promise<void>;
  readonly report: (error: unknown) => void;
  baselinesLeft: number;
  evaluationsLeft: number;
}

/** The end of the newest bucket that is over at an instant, with all of its samples. */
export const closedAt = (now: Instant): Instant => bucketStart(now - lateMs);

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

/** Evaluates these servers until the job is ended; one that fails is reported, and the others are evaluated all the same. */
export async function evaluateDue(turn: HealthTurn, due: readonly DueServer[]): Promise<void> {
  const { deps, now, writes, pause, report } = turn;
  const { db, plans, signal } = deps;
  for await (const save of evaluations({ db, plans, report }, due, now)) {
    await writes.add(save);
    if (signal.aborted) return;
    await pause();
  }
}
