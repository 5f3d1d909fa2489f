import type { PoolClient } from "pg";
import type { Result, Step, Work } from "./database.ts";
import { executeMerged, learnTypes } from "./postgres-statements.ts";
import { afterCalls } from "../../core/turns.ts";

/** A reading unit whose first statement has not run yet. */
export interface StartedRead<T> {
  readonly step: Step;
  readonly steps: Work<T>;
}

/** A started read whose first statement finds at most one row. */
interface WaitingRead extends StartedRead<unknown> {
  /** Runs the unit alone, from its first statement. */
  readonly alone: () => Promise<unknown>;
  /** Runs the unit again from the beginning, with all its statements in one transaction. */
  readonly again: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** First statements of units that turned out to have several statements: these units need a transaction. */
export const firstOfSeveral = new WeakSet<Step["query"]>();

/** Most reads in one statement. */
const mostTogether = 256;

type WithClient = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

/** Longest wait of a read for the end of the statement before it, ms. */
const longestWaitMs = 5;

interface Sharing {
  waiting: WaitingRead[];
  /** Statements of these reads that are running now. */
  underWay: number;
  timer: NodeJS.Timeout | null;
}

/**
 * Reads with the same first statement share it if they arrive in one pass of the event loop, or while the
 * previous one runs: the lookup of a heartbeat's credential costs as much CPU as the write.
 */
export class MergedReads {
  readonly #withClient: WithClient;
  readonly #sharings = new Map<Step["query"], Sharing>();

  constructor(withClient: WithClient) {
    this.#withClient = withClient;
  }

  /** Resolves to the unit's result; null if the unit cannot share its first statement and must run alone. */
  join<T>(
    { step, steps }: StartedRead<T>,
    alone: () => Promise<T>,
    again: () => Promise<T>,
  ): Promise<T> | null {
    if (step.findsOne !== true || firstOfSeveral.has(step.query)) return null;
    if (step.query.statements.merged === null) return null;
    return new Promise<T>((resolve, reject) => {
      this.#add({ step, steps, alone, again, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #add(read: WaitingRead): void {
    const { query } = read.step;
    const sharing = this.#sharings.get(query) ?? { waiting: [], underWay: 0, timer: null };
    this.#sharings.set(query, sharing);
    sharing.waiting.push(read);
    if (sharing.waiting.length > 1) return;
    if (sharing.underWay > 0) sharing.timer = setTimeout(() => void this.#flush(sharing), longestWaitMs);
    else afterCalls(() => void this.#flush(sharing));
  }

  async #flush(sharing: Sharing): Promise<void> {
    if (sharing.timer !== null) clearTimeout(sharing.timer);
    sharing.timer = null;
    if (sharing.waiting.length === 0) return;
    sharing.underWay += 1;
    const reads = sharing.waiting.splice(0, mostTogether);
    // Reads beyond `mostTogether` are sent at once.
    if (sharing.waiting.length > 0) void this.#flush(sharing);
    await this.#find(reads);
    sharing.underWay -= 1;
    void this.#flush(sharing);
  }

  async #find(reads: readonly WaitingRead[]): Promise<void> {
    const [first] = reads;
    if (first === undefined) return;
    const { query } = first.step;
    const merged = async (client: PoolClient): Promise<readonly Result[]> => {
      await learnTypes(client, query);
      return executeMerged(
        client,
        query,
        reads.map(({ step }) => step.values),
        false,
      );
    };
    const results = reads.length === 1 ? null : await this.#withClient(merged).catch(() => null);
    const alone: Promise<void>[] = [];
    for (const [index, read] of reads.entries()) {
      const result = results?.[index];
      // A read whose shared statement failed, and a read with no partner, runs alone.
      if (result === undefined) alone.push(read.alone().then(read.resolve, read.reject));
      else goOn(read, result);
    }
    await Promise.all(alone);
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
