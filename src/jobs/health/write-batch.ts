import type { Database, Work } from "../../store/engine/database.ts";

/** Each transaction waits for the disk, so works share one: about 2 ms of the thread on SQLite. */
const mostTogether = 25;

/**
 * Writes several works in a transaction; only flushed works are written. If the transaction fails, each work
 * is written alone, and `report` gets the errors.
 */
export class WriteBatch {
  readonly #db: Database;
  readonly #report: (error: unknown) => void;
  #works: (() => Work<unknown>)[] = [];
  #weight = 0;

  constructor(db: Database, report: (error: unknown) => void) {
    this.#db = db;
    this.#report = report;
  }

  /** `weight`: how many ordinary works take as long as this one. */
  async add(work: () => Work<unknown>, weight = 1): Promise<void> {
    this.#works.push(work);
    this.#weight += weight;
    if (this.#weight >= mostTogether) await this.flush();
  }

  async flush(): Promise<void> {
    const works = this.#works;
    [this.#works, this.#weight] = [[], 0];
    if (works.length === 0) return;
    const together = this.#db.write(function* () {
      for (const work of works) yield* work();
    });
    await together.catch(async () => {
      for (const work of works) await this.#db.write(work).catch(this.#report);
    });
  }
}
