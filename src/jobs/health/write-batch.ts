import type { Database, Work } from "../../store/engine/database.ts";

/** Works that are written together, about 2 ms of the thread on SQLite: each transaction waits for the disk. */
const mostTogether = 25;

/**
 * Collects works of a job, and writes them in transactions of several; what is not flushed is not written. Where one of
 * them fails, each is written alone, and `report` is given what fails.
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

  /** `weight`: how many times as long as another one it takes. */
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
