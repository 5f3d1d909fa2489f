import type { EncodedColumn, Totals } from "./block/column-code.ts";
import { toThousandths } from "./written-value.ts";

/** What is known of one field at each point; NaN, and a count of 0, where nothing is. */
export interface PointColumn {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  /** How many measured values stand behind the point: 1 for a sample. */
  readonly count: Float64Array;
}

/** A field of a chunk. What is not asked of it is not decoded. */
export interface ChunkColumn extends PointColumn {
  /** Of all points together, where that is known without looking at them. */
  readonly totals: Totals | null;
  /**
   * Writes the known points from `at` on, one after another, and answers how many they are. Of a point that stands for
   * several values it is their mean.
   */
  writeKnown(target: Float64Array, at: number): number;
  /** The points from one place to another (exclusive). */
  part(from: number, to: number): ChunkColumn;
}

/** Where the values of samples come from: the encoded form that has their totals too, or what reads them alone. */
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

/** A field of samples. */
export class SampleColumn implements ChunkColumn {
  readonly #source: ValueSource;
  #values: Float64Array | null = null;
  #count: Float64Array | null = null;
  readonly totals: Totals | null;

  constructor(source: ValueSource) {
    this.#source = source;
    this.totals = "totals" in source ? source.totals : null;
  }

  /** The values, NaN where one is not known; they are decoded at each call. */
  read(): Float64Array {
    return this.#source.values();
  }

  get min(): Float64Array {
    return (this.#values ??= this.read());
  }

  get max(): Float64Array {
    return this.min;
  }

  get sum(): Float64Array {
    return this.min;
  }

  get count(): Float64Array {
    return (this.#count ??= this.min.map((value) => (Number.isNaN(value) ? 0 : 1)));
  }

  writeKnown(target: Float64Array, at: number): number {
    return "writeKnown" in this.#source
      ? this.#source.writeKnown(target, at)
      : copyKnown(this.read(), target, at);
  }

  part(from: number, to: number): SampleColumn {
    return new SampleColumn({ values: () => this.min.subarray(from, to) });
  }
}

/** A field of rows that each stand for five minutes. */
export class RolledColumn implements ChunkColumn {
  readonly totals = null;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly sum: Float64Array;
  readonly count: Float64Array;

  constructor({ min, max, sum, count }: PointColumn) {
    this.min = min;
    this.max = max;
    this.sum = sum;
    this.count = count;
  }

  writeKnown(target: Float64Array, at: number): number {
    let end = at;
    for (let index = 0; index < this.count.length; index += 1) {
      const count = this.count[index] ?? 0;
      if (count === 0) continue;
      const sum = this.sum[index] ?? 0;
      target[end++] =
        count === 1 ? sum : toThousandths(sum / count, this.min[index] ?? sum, this.max[index] ?? sum);
    }
    return end - at;
  }

  part(from: number, to: number): RolledColumn {
    const { min, max, sum, count } = this;
    return new RolledColumn({
      min: min.subarray(from, to),
      max: max.subarray(from, to),
      sum: sum.subarray(from, to),
      count: count.subarray(from, to),
    });
  }
}
