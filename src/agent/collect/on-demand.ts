import { Collectable } from "../../core/server/collection.ts";
import { minuteMs } from "../../core/time.ts";
import { oneLine } from "../one-line.ts";

/** Takes and uploads; resolves with what became of it, in words, or null where there is nothing to take yet. */
export type Collect = (what: Collectable, signal: AbortSignal) => Promise<string | null>;

/** Nothing is tried again at once: a histogram stops the server for a full collection. A look for a file costs nothing, ms. */
const againMs = { class_histogram: 2 * minuteMs, profile: 0 } as const;

/** What to do where there is nothing to take yet. */
const toTake = {
  class_histogram: "nothing can be taken here.",
  profile:
    "spark has saved no new file. In the console: spark profiler start --timeout 60, then spark profiler stop --save-to-file.",
} as const;

/** Takes what the owner asked for on the server's page: one of a kind at a time, and in the background. */
export class OnDemand {
  readonly #collect: Collect;
  readonly #elapsed: () => number;
  readonly #tell: (line: string) => void;
  readonly #ending = new AbortController();
  readonly #triedAt = new Map<Collectable, number>();
  readonly #underWay = new Map<Collectable, Promise<void>>();

  constructor(collect: Collect, elapsed: () => number, tell: (line: string) => void) {
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
    return !this.#underWay.has(what) && this.#elapsed() - triedAt >= againMs[what];
  }

  #begin(what: Collectable): void {
    const isFirst = !this.#triedAt.has(what);
    this.#triedAt.set(what, this.#elapsed());
    const run = this.#take(what, isFirst).finally(() => this.#underWay.delete(what));
    this.#underWay.set(what, run);
  }

  async #take(what: Collectable, isFirst: boolean): Promise<void> {
    const say = (words: string): void => this.#tell(`Asked for a ${nameOf[what]}: ${words}`);
    try {
      const done = await this.#collect(what, this.#ending.signal);
      if (done !== null) say(`${done}.`);
      else if (isFirst) say(toTake[what]);
    } catch (error) {
      say(`it failed (${oneLine(error)}).`);
    }
  }
}

const nameOf = { class_histogram: "class histogram", profile: "profile" } as const;
