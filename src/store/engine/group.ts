import type { Client } from "pg";
import { Undo, unreadResult, type Result, type Step, type Work } from "./database.ts";
import { failureCode } from "../../core/failure-code.ts";
import { failedBefore, isUnavailable } from "./postgres-failures.ts";
import { execute, executeMerged, learnTypes, sentTogether } from "./postgres-statements.ts";

/** How a unit ended. `skipped`: its row is locked elsewhere. `apart`: it must run in its own transaction. */
export type Ended =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "skipped" | "apart" };

class Run {
  readonly #steps: Work<unknown>;
  /** The next statements to send: any number with unread results, then at most one that is waited for. */
  next: readonly Step[] = [];
  ended: Ended | null = null;
  #wrote = false;

  constructor(work: () => Work<unknown>) {
    this.#steps = work();
    this.#take(() => this.#steps.next());
  }

  /** Continues with the result of the last statement sent; the unread ones already got `unreadResult`. */
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
      // A rollback would also undo the other units. It is needed only if this unit wrote something.
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

interface Batch {
  readonly query: Step["query"];
  /** True: the statement only finds rows, and one statement finds those of all members. */
  readonly isMerged: boolean;
  readonly members: readonly { readonly run: Run; readonly step: Step; readonly isLast: boolean }[];
}

/**
 * Forms batches of the next statements of all units: each unit's statements keep their order, and equal ones
 * of several units form one batch. With `locks`, row locks use the merged form even for one unit, because
 * only that form has SKIP LOCKED.
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

/** Prefers a statement that no unit still has further ahead, so that more units share it. */
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

/** Sends the statements of a batch without waiting. `skips`: omits rows that other transactions lock. */
const sendBatch = (
  client: Client,
  { query, isMerged, members }: Batch,
  skips: boolean,
): Promise<readonly Result[]> =>
  isMerged
    ? executeMerged(client, query, valuesOf(members), skips)
    : Promise.all(members.map(({ step }) => execute(client, step)));

/** Thrown when the transaction cannot go on because units failed that must run alone. */
class Broken extends Error {
  /** True if the transaction is already rolled back. */
  readonly isUndone: boolean;
  constructor(isUndone: boolean) {
    super("broken");
    this.isUndone = isUndone;
  }
}

/**
 * Sends the next statements of every unit before it waits for a result. The first round starts with BEGIN,
 * unawaited because first statements at most lock rows. COMMIT follows if no unit waits for a result. Returns
 * whether it committed.
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
      // Another transaction holds the row, or there is none: the unit runs alone later and finds out which.
      if (locks && result.rows.length === 0) run.leave("skipped");
      else if (!broken && isLast && run.ended === null) run.go(result);
    }
  }
  if (broken || runs.some(({ ended }) => ended?.kind === "apart")) throw new Broken(commits);
  await committed;
  return commits;
}

/** lock_not_available, query_canceled and damage codes end a statement, not the connection. */
const ofStatement = /^(55P03|57014|XX00[12])$/;

const isLost = (error: unknown): boolean =>
  isUnavailable(error) && !ofStatement.test(failureCode(error) ?? "");

/**
 * Runs units of different keys in one transaction: the first statement of all, then the second, and so on. A
 * statement that finds rows is sent once for all units. `committed` false: it was rolled back, and the units
 * that are not `apart` may run together again.
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
