import { Unavailable } from "../../core/errors.ts";
import { minuteMs } from "../../core/time.ts";
import type { UncachedDatabase } from "./database.ts";

/**
 * Whether a full disk refuses writes: from the first write that failed for lack of room until a write
 * succeeds and none has failed for a minute. One small write may fit where the next does not.
 */
export class DiskRoom {
  readonly #clock: () => number;
  #metAt: number | null = null;

  /** `clock`: monotonic, ms. */
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

/** Returns the same database, whose writes also report whether the disk is full. */
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
