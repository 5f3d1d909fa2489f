/** Work that is due at an instant, which it is given, ms since 1970. */
type Due = (due: number) => void;

/** What is added meanwhile may be due earlier than everything there was, so it waits for no longer. */
const longestWaitMs = 10;

/**
 * Does work at its time by the clock, whatever becomes of earlier work. Instants are rounded down to whole milliseconds,
 * those of one millisecond share a turn.
 */
export class Timetable {
  readonly #slots = new Map<number, Due[]>();
  #next = Date.now();
  #timer: NodeJS.Timeout | null = null;

  at(due: number, work: Due): void {
    const slot = Math.max(Math.floor(due), this.#next);
    const waiting = this.#slots.get(slot);
    if (waiting) waiting.push(work);
    else this.#slots.set(slot, [work]);
  }

  /** Does `work` every so often, the first time at `first`, each time up to `jitterMs` later than its turn. */
  every(first: number, everyMs: number, jitterMs: number, work: Due): void {
    const turn = (base: number): void =>
      this.at(base + Math.random() * jitterMs, (due) => {
        turn(base + everyMs);
        work(due);
      });
    turn(first);
  }

  start(): void {
    const look = (): void => {
      const now = Date.now();
      while (this.#next <= now) {
        const slot = this.#next;
        // What this work adds for now is due in the next slot, for this one has begun.
        this.#next += 1;
        const due = this.#slots.get(slot) ?? [];
        this.#slots.delete(slot);
        for (const work of due) work(slot);
      }
      this.#timer = setTimeout(look, this.#wait());
    };
    look();
  }

  /** Until the next work, ms. */
  #wait(): number {
    let ms = 1;
    while (ms < longestWaitMs && !this.#slots.has(this.#next + ms - 1)) ms += 1;
    return ms;
  }

  /** Does no more. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#slots.clear();
  }
}
