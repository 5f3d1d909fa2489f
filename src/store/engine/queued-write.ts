import { Undo, type Durability, type Work } from "./database.ts";
import { asUnavailable } from "./sqlite-failures.ts";

/** What a commit does with the units of work that share it, whatever their results. */
export type AnyQueuedWrite = Pick<
  QueuedWrite<unknown>,
  "since" | "durability" | "attempt" | "settle" | "fail" | "error"
>;

/** One unit of work that waits for the commit which it shares with others. */
export class QueuedWrite<T> {
  readonly since = performance.now();
  readonly durability: Durability;
  readonly #work: () => Work<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  #settle: () => void = () => {};
  error: unknown = null;

  constructor(
    durability: Durability,
    work: () => Work<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.durability = durability;
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Runs it on that connection; false when what it wrote has to be undone. */
  attempt(connection: { finish(work: () => Work<T>): T }): boolean {
    try {
      const value = connection.finish(this.#work);
      this.#settle = () => this.#resolve(value);
      return true;
    } catch (error) {
      this.error = error;
      this.#settle = error instanceof Undo ? () => this.#resolve(error.value as T) : () => this.fail(error);
      return false;
    }
  }

  settle(): void {
    this.#settle();
  }

  fail(error: unknown): void {
    this.#reject(asUnavailable(error));
  }
}
