import { Collectable } from "../core/server/collection.ts";
import { minuteMs } from "../core/time.ts";
import { oneLine } from "./one-line.ts";

/** A histogram stops the server for a full collection, so one that failed is not tried again at once, ms. */
const againMs = 2 * minuteMs;

/** Takes what the owner asked for on the server's page: one of a kind at a time, and in the background. */
export class OnDemand {
  readonly #collect: (what: Collectable, signal: AbortSignal) => Promise<string>;
  readonly #elapsed: () => number;
  readonly #tell: (line: string) => void;
  readonly #ending = new AbortController();
  readonly #triedAt = new Map<Collectable, number>();
  readonly #underWay = new Map<Collectable, Promise<void>>();

  constructor(
    collect: (what: Collectable, signal: AbortSignal) => Promise<string>,
    elapsed: () => number,
    tell: (line: string) => void,
  ) {
    this.#collect = collect;
    this.#elapsed = elapsed;
    this.#tell = tell;
  }

  /** Told with every heartbeat; what this version does not know is left to others. */
  want(asked: readonly string[]): void {
    for (const what of Collectable.options) {
      if (!asked.includes(what)) this.#triedAt.delete(what);
      else if (this.#isDue(what)) this.#begin(what);
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  end(): void {
    this.#ending.abort();
  }

  #isDue(what: Collectable): boolean {
    const triedAt = this.#triedAt.get(what) ?? Number.NEGATIVE_INFINITY;
    return !this.#underWay.has(what) && this.#elapsed() - triedAt >= againMs;
  }

  #begin(what: Collectable): void {
    this.#triedAt.set(what, this.#elapsed());
    const named = what.replace("_", " ");
    const run = this.#collect(what, this.#ending.signal)
      .then(
        (done) => this.#tell(`Asked for a ${named}: ${done}`),
        (error: unknown) => this.#tell(`Asked for a ${named}, which failed (${oneLine(error)}).`),
      )
      .finally(() => this.#underWay.delete(what));
    this.#underWay.set(what, run);
  }
}
