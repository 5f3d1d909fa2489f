import type { Instant } from "../time.ts";
import type { PointColumn, SeriesChunk } from "./chunk.ts";

const emptyColumn = (capacity: number): PointColumn => ({
  min: new Float64Array(capacity).fill(Number.NaN),
  max: new Float64Array(capacity).fill(Number.NaN),
  sum: new Float64Array(capacity),
  count: new Float64Array(capacity),
});

function grownColumn(column: PointColumn, length: number, capacity: number): PointColumn {
  const grown = emptyColumn(capacity);
  for (const part of ["min", "max", "sum", "count"] as const)
    grown[part].set(column[part].subarray(0, length));
  return grown;
}

/** Adds what `from` knows at one place to what `to` knows at another. */
function merge(to: PointColumn, at: number, from: PointColumn, index: number): void {
  const count = from.count[index] ?? 0;
  if (count === 0) return;
  const [min, max] = [from.min[index] ?? Number.NaN, from.max[index] ?? Number.NaN];
  const [least, most] = [to.min[at] ?? Number.NaN, to.max[at] ?? Number.NaN];
  // Written so that NaN, which compares false, gives way.
  to.min[at] = least <= min ? least : min;
  to.max[at] = most >= max ? most : max;
  to.sum[at] = (to.sum[at] ?? 0) + (from.sum[index] ?? 0);
  to.count[at] = (to.count[at] ?? 0) + count;
}

/**
 * What is known of each interval that has points, in order of time. Without a length every point is an interval
 * of its own.
 */
export class Slots {
  readonly #lengthMs: number | null;
  #starts: Float64Array;
  #columns: PointColumn[];
  length = 0;

  constructor(fields: number, lengthMs: number | null) {
    this.#lengthMs = lengthMs;
    this.#starts = new Float64Array(0);
    this.#columns = Array.from({ length: fields }, () => emptyColumn(0));
  }

  get starts(): Float64Array {
    return this.#starts.subarray(0, this.length);
  }

  get columns(): readonly PointColumn[] {
    return this.#columns;
  }

  /** Adds points that lie behind all before them. */
  add({ times, columns }: Pick<SeriesChunk, "times" | "columns">): void {
    this.#reserve(times.length);
    const places = new Uint32Array(times.length);
    for (let index = 0; index < times.length; index += 1) places[index] = this.#placeOf(times[index] ?? 0);
    for (const [field, column] of columns.entries()) {
      const to = this.#columns[field];
      if (!to) continue;
      for (let index = 0; index < times.length; index += 1) merge(to, places[index] ?? 0, column, index);
    }
  }

  /** The same in intervals of another length, of which this one's is a part. */
  inLengthsOf(lengthMs: number): Slots {
    const slots = new Slots(this.#columns.length, lengthMs);
    slots.add({ times: this.starts, columns: this.#columns });
    return slots;
  }

  /** How many intervals of another length have points. */
  countOf(lengthMs: number): number {
    let count = 0;
    let last = Number.NaN;
    for (let index = 0; index < this.length; index += 1) {
      const start = Math.floor((this.#starts[index] ?? 0) / lengthMs);
      if (start !== last) count += 1;
      last = start;
    }
    return count;
  }

  #placeOf(time: Instant): number {
    const length = this.#lengthMs;
    const start = length === null ? time : Math.floor(time / length) * length;
    if (length !== null && this.length > 0 && this.#starts[this.length - 1] === start) return this.length - 1;
    this.#starts[this.length] = start;
    this.length += 1;
    return this.length - 1;
  }

  #reserve(points: number): void {
    const needed = this.length + points;
    if (needed <= this.#starts.length) return;
    const capacity = Math.max(needed, 2 * this.#starts.length);
    const starts = new Float64Array(capacity);
    starts.set(this.starts);
    this.#starts = starts;
    this.#columns = this.#columns.map((column) => grownColumn(column, this.length, capacity));
  }
}
