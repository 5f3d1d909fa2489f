import type { Client } from "pg";
import { Undo, unreadResult, type Result, type Step, type Work } from "./database.ts";
import { failureCode } from "../../core/failure-code.ts";
import { failedBefore, isUnavailable } from "./postgres-failures.ts";
import { execute, executeMerged, learnTypes, sentTogether } from "./postgres-statements.ts";

/** How a unit of a group ended; `apart`: it has to be run in a transaction of its own. */
export type Ended =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "skipped" | "apart" };

/** One unit in the transaction of its group. */
class Run {
  readonly #steps: Work<unknown>;
  /** What it comes to next: statements whose results it does not read, and one whose result it waits for, if any. */
  next: readonly Step[] = [];
  ended: Ended | null = null;
  #wrote = false;

  constructor(work: () => Work<unknown>) {
    this.#steps = work();
    this.#take(() => this.#steps.next());
  }

  /** Continues with the result of the last of its statements, that of the others being none. */
  go(result: Result): void {
    this.#take(() => this.#steps.next(result));
  }

  #take(begin: () => IteratorResult<Step, unknown>): void {
    const next: Step[] = [];
    this.next = next;
    try {
      for (let step = begin(); ; step = this.#steps.next(unreadResult)) {
        if (step.done) {
          this.ended = { kind: "done", value: step.value };
          return;
        }
        next.push(step.value);
        if (step.value.query.statements.merged === null) this.#wrote = true;
        if (step.value.unread !== true) return;
      }
    } catch (error) {
      this.next = [];
      // What others wrote stays only where this one wrote nothing.
      if (this.#wrote) this.ended = { kind: "apart" };
      else
        this.ended = error instanceof Undo ? { kind: "done", value: error.value } : { kind: "failed", error };
    }
  }

  leave(kind: "skipped" | "apart"): void {
    this.next = [];
    this.ended = { kind };
  }
}

/** The same statement of several units, or of one. */
interface Batch {
  readonly query: Step["query"];
  /** Whether it finds rows, and is sent as one statement for all of them. */
  readonly isMerged: boolean;
  readonly members: readonly { readonly run: Run; readonly step: Step; readonly isLast: boolean }[];
}

/**
 * The next statements of every unit: those of a unit in their order, and as one batch those of several units that are
 * the same. A statement that others come to later waits for them. `locks`: rows are locked by the statement for many
 * even for one unit, because that alone waits for nobody.
 */
function batchesOf(runs: readonly Run[], locks: boolean): Batch[] {
  let left = runs.filter(({ next }) => next.length > 0).map((run) => ({ run, steps: run.next, at: 0 }));
  const batches: Batch[] = [];
  while (left.length > 0) {
    const query = nextQuery(left);
    const members = [];
    for (const each of left) {
      const step = each.steps[each.at];
      if (step?.query !== query) continue;
      each.at += 1;
      members.push({ run: each.run, step, isLast: each.at === each.steps.length });
    }
    const isMerged = (members.length > 1 || locks) && query.statements.merged !== null;
    batches.push({ query, isMerged, members });
    left = left.filter(({ steps, at }) => at < steps.length);
  }
  return batches;
}

/** The first statement that some unit comes to and none of the others later. */
function nextQuery(left: readonly { readonly steps: readonly Step[]; readonly at: number }[]): Step["query"] {
  const heads = new Set<Step["query"]>();
  const later = new Set<Step["query"]>();
  for (const { steps, at } of left) {
    for (let index = at; index < steps.length; index += 1)
      (index === at ? heads : later).add((steps[index] as Step).query);
  }
  const [first] = heads;
  return [...heads].find((query) => !later.has(query)) ?? (first as Step["query"]);
}

const valuesOf = (members: Batch["members"]): Step["values"][] => members.map(({ step }) => step.values);

/** Sends the statements of a batch without waiting. `skips`: rows that others hold are left out. */
const sendBatch = (
  client: Client,
  { query, isMerged, members }: Batch,
  skips: boolean,
): Promise<readonly Result[]> =>
  isMerged
    ? executeMerged(client, query, valuesOf(members), skips)
    : Promise.all(members.map(({ step }) => execute(client, step)));

/** Thrown where the transaction cannot go on: units whose own statement failed have to be run apart. */
class Broken extends Error {
  /** Whether it is undone already. */
  readonly isUndone: boolean;
  constructor(isUndone: boolean) {
    super("broken");
    this.isUndone = isUndone;
  }
}

/**
 * Sends the next statements of every unit, all of them before the first result is waited for; before them the begin of
 * the transaction, which may be on its way because the first statements lock rows at most, and behind them the commit
 * where no unit waits for a result. Answers whether it is committed.
 */
async function round(client: Client, runs: readonly Run[], isFirst: boolean): Promise<boolean> {
  const batches = batchesOf(runs, isFirst);
  for (const { query, isMerged } of batches) if (isMerged) await learnTypes(client, query);
  const commits = !isFirst && runs.every(({ ended }) => ended !== null && ended.kind !== "apart");
  const [begun, sent, committed] = sentTogether(client, () => [
    isFirst ? client.query("BEGIN") : null,
    batches.map((batch) => sendBatch(client, batch, isFirst)),
    commits ? client.query("COMMIT") : null,
  ]);
  for (const run of runs) run.next = [];
  const settled = await Promise.allSettled([...sent, begun, committed]);
  const failures = settled.map((each) => (each.status === "rejected" ? (each.reason as unknown) : null));
  const lost = failures.find(isLost);
  if (lost !== undefined) throw lost;
  await begun;
  let broken = false;
  for (const [index, { query, members }] of batches.entries()) {
    const outcome = settled[index] as PromiseSettledResult<readonly Result[]>;
    if (outcome.status === "rejected") {
      broken = true;
      if (!failedBefore(outcome.reason)) for (const { run } of members) run.leave("apart");
      continue;
    }
    const locks = isFirst && query.statements.merged?.locks === true;
    for (const [place, { run, isLast }] of members.entries()) {
      const result = outcome.value[place] ?? { rows: [], changes: 0 };
      // Another transaction holds the row, or there is none: alone it is waited for, and seen which.
      if (locks && result.rows.length === 0) run.leave("skipped");
      else if (!broken && isLast && run.ended === null) run.go(result);
    }
  }
  if (broken || runs.some(({ ended }) => ended?.kind === "apart")) throw new Broken(commits);
  await committed;
  return commits;
}

/** lock_not_available, query_canceled and damage end a statement, and neither the connection nor the database. */
const ofStatement = /^(55P03|57014|XX00[12])$/;

const isLost = (error: unknown): boolean =>
  isUnavailable(error) && !ofStatement.test(failureCode(error) ?? "");

/**
 * Runs units of different keys in one transaction: the first statement of all of them, then the second, and so on. A
 * statement that finds rows is one for all of them. Answers how each ended, once the
 * transaction is committed; null where it was undone, and those that are not `apart` may be run together again.
 */
export async function runTogether(
  client: Client,
  works: readonly (() => Work<unknown>)[],
): Promise<{ readonly committed: boolean; readonly ended: readonly (Ended | null)[] }> {
  const runs = works.map((work) => new Run(work));
  const ended = (): (Ended | null)[] => runs.map((run) => run.ended);
  const goesOn = (): boolean => runs.some(({ next }) => next.length > 0);
  if (!goesOn()) return { committed: true, ended: ended() };
  try {
    await round(client, runs, true);
    let committed = false;
    while (goesOn()) committed = await round(client, runs, false);
    if (!committed) await client.query("COMMIT");
    return { committed: true, ended: ended() };
  } catch (error) {
    if (isLost(error)) throw error;
    if (!(error instanceof Broken)) for (const run of runs) run.leave("apart");
    if (!(error instanceof Broken && error.isUndone)) await client.query("ROLLBACK");
    return { committed: false, ended: ended() };
  }
}
