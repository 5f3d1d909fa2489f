/** The ticks of the whole run with a known mean time. */
export class TickTally {
  #ticks = 0;
  #ms = 0;
  #seconds = 0;

  add(ticks: number, msPerTick: number): void {
    this.#ticks += ticks;
    this.#ms += ticks * msPerTick;
  }

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
