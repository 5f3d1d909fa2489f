import type { EncodedColumn, Totals } from "./block/column-code.ts";

/** Where values come from: the encoded form that has their totals too, or what reads them alone. */
type ValueSource = Pick<EncodedColumn, "totals" | "values" | "writeKnown"> | { values(): Float64Array };

/** A source of values that are there already. */
export const valuesAlone = (values: Float64Array): ValueSource => ({ values: () => values });

/** A source of as many values of which none is known. */
export const absentValues = (length: number): ValueSource => ({
  totals: { min: Number.NaN, max: Number.NaN, sum: 0, count: 0 },
  values: () => new Float64Array(length).fill(Number.NaN),
  writeKnown: () => 0,
});

/** Copies the known values one after another from `at` on; answers how many they are. */
export function copyKnown(values: Float64Array, target: Float64Array, at: number): number {
  let end = at;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    target[end] = value;
    end += 1;
  }
  return end - at;
}

/** A field of a chunk. What is not asked of it is not decoded. */
export class ChunkColumn {
  readonly #source: ValueSource;
  /** Kept for parts, which are mostly several. */
  #decoded: Float64Array | null = null;
  /** Of all points together, where that is known without looking at them. */
  readonly totals: Totals | null;

  constructor(source: ValueSource) {
    this.#source = source;
    this.totals = "totals" in source ? source.totals : null;
  }

  /** The values, NaN where one is not known; they are decoded at each call. */
  values(): Float64Array {
    return this.#source.values();
  }

  /** Writes the known values from `at` on, one after another, and answers how many they are. */
  writeKnown(target: Float64Array, at: number): number {
    return "writeKnown" in this.#source
      ? this.#source.writeKnown(target, at)
      : copyKnown(this.values(), target, at);
  }

  /** The points from one place to another (exclusive). */
  part(from: number, to: number): ChunkColumn {
    return new ChunkColumn({ values: () => (this.#decoded ??= this.values()).subarray(from, to) });
  }
}
