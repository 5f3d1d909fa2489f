/** Ticks with a known mean time, of the whole run. */
export class TickTally {
  #ticks = 0;
  #ms = 0;
  #seconds = 0;

  add(ticks: number, msPerTick: number): void {
    this.#ticks += ticks;
    this.#ms += ticks * msPerTick;
  }

  /** The time that a test took. */
  addSeconds(seconds: number): void {
    this.#seconds += seconds;
  }

  get count(): number {
    return this.#ticks;
  }

  get meanMs(): number | null {
    return this.#ticks === 0 ? null : this.#ms / this.#ticks;
  }

  get seconds(): number {
    return this.#seconds;
  }
}
