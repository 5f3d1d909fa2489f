/** In ms. Percentiles are by nearest rank: the value that this percentage of all does not exceed. */
export class Latencies {
  readonly #values: Float64Array;
  #count = 0;

  /** Room for `most` values. */
  constructor(most: number) {
    this.#values = new Float64Array(most);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.#values.length;
  }

  add(ms: number): void {
    this.#values[this.#count] = ms;
    this.#count += 1;
  }

  /** Null if there are no values. */
  percentiles<Names extends string>(ranks: Readonly<Record<Names, number>>): Record<Names, number> | null {
    if (this.#count === 0) return null;
    const sorted = this.#values.slice(0, this.#count).sort();
    const entries = Object.entries<number>(ranks).map(([name, percent]) => [
      name,
      sorted[Math.max(0, Math.ceil((percent / 100) * this.#count) - 1)] ?? 0,
    ]);
    return Object.fromEntries(entries) as Record<Names, number>;
  }
}
