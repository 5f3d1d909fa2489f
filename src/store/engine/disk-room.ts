import { Unavailable } from "../../core/errors.ts";
import { minuteMs } from "../../core/time.ts";
import type { UncachedDatabase } from "./database.ts";

/**
 * Whether a full disk refuses what is to be saved: from the first write that met it until a write was saved and none met
 * it for a minute. A single write that fits says little, because the next one needs more.
 */
export class DiskRoom {
  readonly #clock: () => number;
  #metAt: number | null = null;

  /** `clock` counts ms and is never set. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get isFull(): boolean {
    return this.#metAt !== null;
  }

  saved(): void {
    if (this.#metAt !== null && this.#clock() - this.#metAt >= minuteMs) this.#metAt = null;
  }

  failed(error: unknown): void {
    if (error instanceof Unavailable && error.trouble === "full") this.#metAt = this.#clock();
  }
}

/** The same database, whose writes tell whether its disk has room. */
export function withDiskRoom(db: UncachedDatabase): {
  readonly db: UncachedDatabase;
  readonly isDiskFull: () => boolean;
} {
  const room = new DiskRoom();
  const noted = async <T>(writing: Promise<T>): Promise<T> => {
    try {
      const value = await writing;
      room.saved();
      return value;
    } catch (error) {
      room.failed(error);
      throw error;
    }
  };
  return {
    db: {
      ...db,
      write: (work, ...values) => noted(db.write(work, ...values)),
      writeFor: (key, work, ...values) => noted(db.writeFor(key, work, ...values)),
      writeRelaxed: (work, ...values) => noted(db.writeRelaxed(work, ...values)),
    },
    isDiskFull: () => room.isFull,
  };
}
