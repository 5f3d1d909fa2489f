import type { EncodedColumn, Totals } from "./block/column-code.ts";

/** An encoded column, which has its totals too, or a source of values alone. */
type ValueSource = Pick<EncodedColumn, "totals" | "values" | "writeKnown"> | { values(): Float64Array };

export const valuesAlone = (values: Float64Array): ValueSource => ({ values: () => values });

export const absentValues = (length: number): ValueSource => ({
  totals: { min: Number.NaN, max: Number.NaN, sum: 0, count: 0 },
  values: () => new Float64Array(length).fill(Number.NaN),
  writeKnown: () => 0,
});

/** Copies the known values one after another from `at` on; returns their number. */
export function copyKnown(values: Float64Array, target: Float64Array, at: number): number {
  let end = at;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    target[end] = value;
    end += 1;
  }
  return end - at;
}

/** A field of a chunk, decoded when it is needed. */
export class ChunkColumn {
  readonly #source: ValueSource;
  /** Kept, because a column usually has several parts. */
  #decoded: Float64Array | null = null;
  /** Of all points together; null if they are not known without decoding. */
  readonly totals: Totals | null;

  constructor(source: ValueSource) {
    this.#source = source;
    this.totals = "totals" in source ? source.totals : null;
  }

  /** NaN is an unknown value. The values are decoded at each call. */
  values(): Float64Array {
    return this.#source.values();
  }

  writeKnown(target: Float64Array, at: number): number {
    return "writeKnown" in this.#source
      ? this.#source.writeKnown(target, at)
      : copyKnown(this.values(), target, at);
  }

  /** `to` is exclusive. */
  part(from: number, to: number): ChunkColumn {
    return new ChunkColumn({ values: () => (this.#decoded ??= this.values()).subarray(from, to) });
  }
}
