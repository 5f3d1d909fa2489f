import { afterCalls } from "../../core/turns.ts";

interface Waiting<Value, Result> {
  readonly value: Value;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs the calls of a key, in order of arrival, and returns a result for each. */
type RunTogether<Value, Result> = (values: readonly Value[]) => Promise<readonly Result[]>;

/**
 * Calls of one key that arrive in one pass of the event loop, or while a run for this key is under way, share the
 * next run. If it fails, all of them fail.
 */
export class CallsTogether<Value, Result> {
  readonly #run: RunTogether<Value, Result>;
  /** The calls that wait, by key; a key is there while a run for it is planned or under way. */
  readonly #waiting = new Map<string, Waiting<Value, Result>[]>();

  constructor(run: RunTogether<Value, Result>) {
    this.#run = run;
  }

  add(key: string, value: Value): Promise<Result> {
    return new Promise((resolve, reject) => {
      const own = { value, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) return void waiting.push(own);
      this.#waiting.set(key, [own]);
      afterCalls(() => void this.#runWaiting(key));
    });
  }

  async #runWaiting(key: string): Promise<void> {
    for (;;) {
      const calls = this.#waiting.get(key)?.splice(0) ?? [];
      if (calls.length === 0) return void this.#waiting.delete(key);
      try {
        const results = await this.#run(calls.map(({ value }) => value));
        for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
  }
}
