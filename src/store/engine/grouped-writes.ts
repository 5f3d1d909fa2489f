import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Work } from "./database.ts";
import { runTogether, type Ended } from "./group.ts";
import { afterCalls } from "../../core/turns.ts";

/** A unit of work that waits for the commit it shares with others. */
interface GroupedUnit {
  /** What it locks first: units of one key never share a transaction. */
  readonly key: string;
  readonly work: () => Work<unknown>;
  /** Runs it in a transaction of its own. */
  readonly alone: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often another transaction had its row. */
  skips: number;
}

/** As many units at most share a transaction. */
const mostTogether = 256;
/** A unit whose row is held by others so often waits for it alone. */
const mostSkips = 2;

type WithClient = <T>(use: (client: PoolClient) => Promise<T>) => Promise<T>;

/**
 * Units of work that arrive in one pass of the event loop, or while the transaction before is at work, share a
 * transaction; those of one key are committed in the order in which they came. Their transaction never waits for a row
 * that another one holds, so that no two of them can wait for each other.
 */
export class GroupedWrites {
  readonly #withClient: WithClient;
  #waiting: GroupedUnit[] = [];
  /** Whether a transaction of units is under way, or will be in this turn. */
  #isAtWork = false;
  /** The keys of units that run in transactions of their own: those that came later wait until they have ended. */
  readonly #apart = new Set<string>();

  constructor(withClient: WithClient) {
    this.#withClient = withClient;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves once the unit is committed; `alone` runs it in a transaction of its own. */
  add<T>(key: string, work: () => Work<T>, alone: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void;
      this.#waiting.push({ key, work, alone, resolve: settle, reject, skips: 0 });
      this.#schedule();
    });
  }

  /** Waits until nothing is waiting or at work. */
  async end(): Promise<void> {
    while (this.#waiting.length > 0 || this.#isAtWork || this.#apart.size > 0) await delay(1);
  }

  #schedule(): void {
    if (this.#isAtWork || this.#waiting.every(({ key }) => this.#apart.has(key))) return;
    this.#isAtWork = true;
    afterCalls(() => {
      void this.#commit(this.#take()).finally(() => {
        this.#isAtWork = false;
        this.#schedule();
      });
    });
  }

  /** The units that wait longest, of each key one, in the order of their keys: every process locks in that order. */
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

  /** Runs units together until they are committed: each round that fails leaves out at least those that failed. */
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

  /** False where the unit has to be run again with the others. */
  #settle(unit: GroupedUnit, ended: Ended | null, committed: boolean): boolean {
    if (ended?.kind === "skipped" && unit.skips < mostSkips) {
      unit.skips += 1;
      // Before those of its key that came later.
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
