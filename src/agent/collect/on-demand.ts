import { Collectable } from "../../core/server/collection.ts";
import { minuteMs } from "../../core/time.ts";
import { oneLine } from "../one-line.ts";

/** Takes and uploads a capture. Resolves with a sentence about the outcome; null if nothing is there yet. */
export type Collect = (what: Collectable, signal: AbortSignal) => Promise<string | null>;

/** Between two attempts, ms: a histogram stops the server for a full collection. */
const againMs = { class_histogram: 2 * minuteMs, profile: 0 } as const;

/** Printed if there is nothing to take yet. */
const toTake = {
  class_histogram: "it cannot be taken here.",
  profile:
    "spark has saved no new file. In the console: spark profiler start --timeout 60, then spark profiler stop --save-to-file.",
} as const;

/** Takes the captures that the owner requested on the server's page, one of a kind at a time. */
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

  /** Takes the requests from each heartbeat's answer; kinds unknown to this version are ignored. */
  want(requested: readonly string[]): void {
    for (const what of Collectable.options) {
      if (!requested.includes(what)) this.#triedAt.delete(what);
      else if (this.#isDue(what)) this.#begin(what);
    }
  }

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
    const say = (words: string): void => this.#tell(`The service requested a ${nameOf[what]}: ${words}`);
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
