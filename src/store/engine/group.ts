import type { ClientBase } from "pg";
import { Undo, type Result, type Step, type Work } from "./database.ts";
import { codeOf, failedBefore, isUnavailable } from "./postgres-failures.ts";
import { canMerge, execute, executeMerged } from "./postgres-statements.ts";

/** How a unit of a group ended; `apart`: it has to be run in a transaction of its own. */
export type Ended =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "skipped" | "apart" };

/** One unit in the transaction of its group. */
class Run {
  readonly #steps: Work<unknown>;
  step: Step | null = null;
  ended: Ended | null = null;
  #wrote = false;

  constructor(work: () => Work<unknown>) {
    this.#steps = work();
    this.#take(() => this.#steps.next());
  }

  go(result: Result): void {
    if (this.step?.query.statements.merged?.finds !== true) this.#wrote = true;
    this.#take(() => this.#steps.next(result));
  }

  #take(next: () => IteratorResult<Step, unknown>): void {
    this.step = null;
    try {
      const { done, value } = next();
      if (done) this.ended = { kind: "done", value };
      else this.step = value;
    } catch (error) {
      // What others wrote stays only where this one wrote nothing.
      if (this.#wrote) this.ended = { kind: "apart" };
      else
        this.ended = error instanceof Undo ? { kind: "done", value: error.value } : { kind: "failed", error };
    }
  }

  leave(kind: "skipped" | "apart"): void {
    this.step = null;
    this.ended = { kind };
  }
}

/** The same statement of several units. */
interface Batch {
  readonly query: Step["query"];
  readonly runs: readonly Run[];
  readonly results: Promise<readonly Result[]>;
}

/** Sends the next statement of every unit, all of them before the first result is waited for. */
function sendRound(client: ClientBase, runs: readonly Run[], isFirst: boolean): Batch[] {
  const byQuery = new Map<Step["query"], Run[]>();
  for (const run of runs) {
    if (run.step === null) continue;
    const same = byQuery.get(run.step.query);
    if (same) same.push(run);
    else byQuery.set(run.step.query, [run]);
  }
  return [...byQuery].flatMap(([query, same]): Batch[] => {
    const steps = same.flatMap(({ step }) => step ?? []);
    const values = steps.map((step) => step.values);
    if ((same.length > 1 || isFirst) && canMerge(query, values))
      return [{ query, runs: same, results: executeMerged(client, query, values, isFirst) }];
    return same.map((run, index) => ({
      query,
      runs: [run],
      results: execute(client, steps[index] as Step).then((result) => [result]),
    }));
  });
}

/** Thrown where the transaction cannot go on: units whose own statement failed have to be run apart. */
class Broken extends Error {}

async function round(client: ClientBase, runs: readonly Run[], isFirst: boolean): Promise<void> {
  const batches = sendRound(client, runs, isFirst);
  const settled = await Promise.allSettled(batches.map(({ results }) => results));
  const failures = settled.map((each) => (each.status === "rejected" ? (each.reason as unknown) : null));
  const lost = failures.find(isLost);
  if (lost !== undefined) throw lost;
  let broken = false;
  for (const [index, { query, runs: same }] of batches.entries()) {
    const outcome = settled[index];
    if (outcome?.status === "rejected") {
      broken = true;
      if (!failedBefore(outcome.reason)) for (const run of same) run.leave("apart");
      continue;
    }
    const locks = isFirst && query.statements.merged?.locks === true;
    for (const [place, run] of same.entries()) {
      const result = outcome?.value[place] ?? { rows: [], changes: 0 };
      // Another transaction holds the row, or there is none: alone it is waited for, and seen which.
      if (locks && result.rows.length === 0) run.leave("skipped");
      else if (!broken) run.go(result);
    }
  }
  if (broken || runs.some(({ ended }) => ended?.kind === "apart")) throw new Broken();
}

/** lock_not_available and query_canceled end a statement, and neither the connection nor the database. */
const ofStatement = /^(55P03|57014)$/;

const isLost = (error: unknown): boolean =>
  error instanceof Error && isUnavailable(error) && !ofStatement.test(codeOf(error));

/**
 * Runs units of different keys in one transaction: the first statement of all of them, then the second, and so on. A
 * statement that several of them run is one statement where that does the same. Answers how each ended, once the
 * transaction is committed; null where it was undone, and those that are not `apart` may be run together again.
 */
export async function runTogether(
  client: ClientBase,
  works: readonly (() => Work<unknown>)[],
): Promise<{ readonly committed: boolean; readonly ended: readonly (Ended | null)[] }> {
  const runs = works.map((work) => new Run(work));
  const ended = (): (Ended | null)[] => runs.map((run) => run.ended);
  const begun = client.query("BEGIN");
  begun.catch(() => {});
  try {
    const goesOn = (): boolean => runs.some(({ step }) => step !== null);
    // The first statements lock rows at most: they may be on their way before the transaction is known to have begun.
    if (goesOn()) await round(client, runs, true);
    await begun;
    while (goesOn()) await round(client, runs, false);
    await client.query("COMMIT");
    return { committed: true, ended: ended() };
  } catch (error) {
    if (isLost(error)) throw error;
    await client.query("ROLLBACK");
    if (!(error instanceof Broken)) for (const run of runs) run.leave("apart");
    return { committed: false, ended: ended() };
  }
}
