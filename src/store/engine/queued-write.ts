import { Undo, type Durability, type Work } from "./database.ts";
import { asUnavailable } from "./sqlite-failures.ts";

/** What a commit needs of its units of work, whatever their result types. */
export type AnyQueuedWrite = Pick<
  QueuedWrite<unknown>,
  "since" | "durability" | "attempt" | "settle" | "fail" | "error"
>;

/** A unit of work that waits for a commit shared with others. */
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

  /** Runs the unit; returns false if its changes must be rolled back. */
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
