import type { PoolClient } from "pg";
import type { Result, Step, Work } from "./database.ts";
import { canMerge, executeMerged } from "./postgres-statements.ts";

/** A reading unit whose first statement was not run yet. */
export interface StartedRead<T> {
  readonly step: Step;
  readonly steps: Work<T>;
}

/** One whose first statement finds one row at most, and how it goes on. */
interface WaitingRead extends StartedRead<unknown> {
  /** Runs it by itself, from its first statement. */
  readonly alone: () => Promise<unknown>;
  /** Runs it from the beginning, all its statements in one transaction. */
  readonly again: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** What reading units with several statements have begun with: these need a transaction. */
export const firstOfSeveral = new WeakSet<Step["query"]>();

/** As many reads at most share a statement. */
const mostTogether = 256;

type WithClient = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

/**
 * Reads of one turn of the event loop that begin with the same statement share it: what a heartbeat's credential is
 * looked up with costs as much of the processor as the write.
 */
export class MergedReads {
  readonly #withClient: WithClient;
  #waiting = new Map<Step["query"], WaitingRead[]>();

  constructor(withClient: WithClient) {
    this.#withClient = withClient;
  }

  /** The result of a unit that may share its first statement; null for one that has to be read by itself. */
  join<T>(
    { step, steps }: StartedRead<T>,
    alone: () => Promise<T>,
    again: () => Promise<T>,
  ): Promise<T> | null {
    if (step.findsOne !== true || firstOfSeveral.has(step.query)) return null;
    if (!canMerge(step.query, [step.values])) return null;
    return new Promise<T>((resolve, reject) => {
      this.#add({ step, steps, alone, again, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #add(read: WaitingRead): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    const same = this.#waiting.get(read.step.query);
    if (same && same.length < mostTogether) same.push(read);
    else if (same) read.alone().then(read.resolve, read.reject);
    else this.#waiting.set(read.step.query, [read]);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const reads of waiting.values()) void this.#find(reads);
  }

  async #find(reads: readonly WaitingRead[]): Promise<void> {
    const [first] = reads;
    if (first === undefined) return;
    const results =
      reads.length === 1
        ? null
        : await this.#withClient((client) =>
            executeMerged(
              client,
              first.step.query,
              reads.map(({ step }) => step.values),
              false,
            ),
          ).catch(() => null);
    for (const [index, read] of reads.entries()) {
      const result = results?.[index];
      // One that fails, or has more statements, is read by itself.
      if (result === undefined) read.alone().then(read.resolve, read.reject);
      else goOn(read, result);
    }
  }
}

function goOn({ step, steps, again, resolve, reject }: WaitingRead, result: Result): void {
  try {
    const { done, value } = steps.next(result);
    if (done) return resolve(value);
    firstOfSeveral.add(step.query);
    again().then(resolve, reject);
  } catch (error) {
    reject(error);
  }
}
