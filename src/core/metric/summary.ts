import { z } from "zod";
import type { PointColumn } from "./chunk.ts";
import { nearestRank } from "./nearest-rank.ts";
import { toThousandths } from "./written-value.ts";

const measure = z.number().nullable();

/** One field over every stored point of a period; `count` is of measured values. */
export const FieldSummary = z.object({
  min: measure,
  max: measure,
  avg: measure,
  p5: measure,
  p95: measure,
  count: z.int(),
});
export type FieldSummary = z.infer<typeof FieldSummary>;

/** Gathers a field's summary point by point. Percentiles take every value, so each is kept: 8 bytes a point. */
export class Summary {
  readonly #blocks: Float64Array[] = [];
  #points = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #count = 0;

  add({ min, max, sum, count }: PointColumn): void {
    const means = new Float64Array(count.length);
    let known = 0;
    for (let index = 0; index < count.length; index += 1) {
      const values = count[index] ?? 0;
      if (values === 0) continue;
      const [total, least, most] = [sum[index] ?? 0, min[index] ?? 0, max[index] ?? 0];
      this.#min = Math.min(this.#min, least);
      this.#max = Math.max(this.#max, most);
      this.#sum += total;
      this.#count += values;
      const mean = values === 1 ? total : toThousandths(total / values, least, most);
      // Without the sign of a negative zero, whose bits would order behind everything.
      means[known] = mean + 0;
      known += 1;
    }
    this.#blocks.push(means.subarray(0, known));
    this.#points += known;
  }

  /** The summary, in two steps of one selection each. */
  *result(): Generator<void, FieldSummary> {
    if (this.#count === 0) return { min: null, max: null, avg: null, p5: null, p95: null, count: 0 };
    const values = this.#values();
    const p5 = nearestRank(values, 0.05);
    yield;
    const p95 = nearestRank(values, 0.95);
    const [min, max] = [this.#min, this.#max];
    const avg = toThousandths(this.#sum / this.#count, min, max);
    return { min, max, avg, p5, p95, count: this.#count };
  }

  #values(): Float64Array {
    const values = new Float64Array(this.#points);
    let at = 0;
    for (const block of this.#blocks) {
      values.set(block, at);
      at += block.length;
    }
    return values;
  }
}
