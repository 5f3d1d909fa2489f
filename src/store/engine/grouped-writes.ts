import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Work } from "./database.ts";
import { runTogether, type Ended } from "./group.ts";
import { afterCalls } from "../../core/turns.ts";

/** A unit of work that waits for a transaction shared with others. */
interface GroupedUnit {
  /** The key of the row that the unit locks first: units of one key never share a transaction. */
  readonly key: string;
  readonly work: () => Work<unknown>;
  /** Runs the unit in a transaction of its own. */
  readonly alone: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
  /** How often the unit was left out because another transaction held its row. */
  skips: number;
}

/** Most units in one transaction. */
const mostTogether = 256;
/** While transactions follow one another, one with fewer units than the last waits so long for more, ms. */
const gatherMs = 3;
/** After this many skips a unit runs alone and waits for its row. */
const mostSkips = 2;

type WithClient = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

/**
 * Units of work that arrive in one pass of the event loop, or while a transaction runs, share a transaction; under load
 * those of the next milliseconds do.
 * Units of one key are committed in order of arrival. The shared transaction never waits for a locked row, so
 * two of them cannot deadlock.
 */
export class GroupedWrites {
  readonly #withClient: WithClient;
  #waiting: GroupedUnit[] = [];
  /** Whether a shared transaction is running or scheduled for this pass. */
  #isAtWork = false;
  /** The units of the last shared transaction, and when it ended. */
  #last = { units: 0, endedAt: -Infinity };
  /** Keys of units that are running alone; later units of these keys wait for their end. */
  readonly #apart = new Set<string>();

  constructor(withClient: WithClient) {
    this.#withClient = withClient;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** How long the first unit waits for its transaction, ms. */
  get longestWaitMs(): number {
    const [first] = this.#waiting;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  /** Resolves once the unit is committed. `alone` runs the unit in a transaction of its own. */
  add<T>(key: string, work: () => Work<T>, alone: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void;
      this.#waiting.push({ key, work, alone, resolve: settle, reject, since: performance.now(), skips: 0 });
      this.#schedule();
    });
  }

  /** Waits until no unit is waiting or running. */
  async end(): Promise<void> {
    while (this.#waiting.length > 0 || this.#isAtWork || this.#apart.size > 0) await delay(1);
  }

  #schedule(): void {
    if (this.#isAtWork || this.#waiting.every(({ key }) => this.#apart.has(key))) return;
    this.#isAtWork = true;
    const begin = (): void => {
      const units = this.#take();
      void this.#commit(units).finally(() => {
        this.#isAtWork = false;
        this.#last = { units: units.length, endedAt: performance.now() };
        this.#schedule();
      });
    };
    if (this.#isUnderLoad()) setTimeout(() => afterCalls(begin), gatherMs);
    else afterCalls(begin);
  }

  /** Whether more units are about to come: those of the last transaction were answered a moment ago. */
  #isUnderLoad(): boolean {
    const { units, endedAt } = this.#last;
    return units > 1 && this.#waiting.length < units && performance.now() - endedAt < gatherMs;
  }

  /** Takes the oldest unit of each key, sorted by key, so that every process locks rows in the same order. */
  #take(): GroupedUnit[] {
    const taken = new Map<string, GroupedUnit>();
    const left: GroupedUnit[] = [];
    for (const unit of this.#waiting) {
      if (taken.size < mostTogether && !taken.has(unit.key) && !this.#apart.has(unit.key))
        taken.set(unit.key, unit);
      else left.push(unit);
    }
    this.#waiting = left;
    return [...taken.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Repeats the transaction until it commits; each failed round removes at least the units that failed. */
  async #commit(units: readonly GroupedUnit[]): Promise<void> {
    let rest = units;
    try {
      while (rest.length > 0) {
        const { committed, ended } = await this.#withClient((client) =>
          runTogether(
            client,
            rest.map(({ work }) => work),
          ),
        );
        const again = rest.filter((unit, index) => !this.#settle(unit, ended[index] ?? null, committed));
        if (again.length === rest.length) throw new Error("A group of writes was undone for no unit of it.");
        rest = again;
      }
    } catch (error) {
      for (const unit of rest) unit.reject(error);
    }
  }

  /** Returns false if the unit must run again with the others. */
  #settle(unit: GroupedUnit, ended: Ended | null, committed: boolean): boolean {
    if (ended?.kind === "skipped" && unit.skips < mostSkips) {
      unit.skips += 1;
      // The unit goes before later units of its key.
      this.#waiting.unshift(unit);
      return true;
    }
    if (ended?.kind === "skipped" || ended?.kind === "apart") {
      this.#apart.add(unit.key);
      void unit
        .alone()
        .then(unit.resolve, unit.reject)
        .finally(() => {
          this.#apart.delete(unit.key);
          this.#schedule();
        });
      return true;
    }
    if (!committed) return false;
    if (ended?.kind === "done") unit.resolve(ended.value);
    if (ended?.kind === "failed") unit.reject(ended.error);
    return true;
  }
}
