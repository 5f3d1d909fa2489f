import { concatenated } from "../metric/concatenated.ts";
import { placeOfTime } from "../metric/chunk.ts";
import type { Instant } from "../time.ts";
import { healthFields, type HealthField } from "./health-fields.ts";

const placeOf = Object.fromEntries(healthFields.map((field, place) => [field, place])) as Record<
  HealthField,
  number
>;

export interface MeasuredValue {
  readonly at: Instant;
  readonly value: number;
}

/** `endsAt` is exclusive. */
interface LeftOut {
  readonly startedAt: Instant;
  readonly endsAt: Instant;
}

/**
 * Samples in order of time, as one column for each of `healthFields`; NaN for values that were not measured.
 * Parts share memory with the whole, because a rule reads many of them.
 */
export class HealthSamples {
  readonly #times: Float64Array;
  readonly #columns: readonly Float64Array[];
  /** The samples from index `#first` to `#end` (exclusive). */
  readonly #first: number;
  readonly #end: number;

  constructor(
    times: Float64Array,
    columns: readonly Float64Array[],
    [first, end]: readonly [number, number] = [0, times.length],
  ) {
    this.#times = times;
    this.#columns = columns;
    this.#first = first;
    this.#end = end;
  }

  static readonly none = new HealthSamples(
    new Float64Array(),
    healthFields.map(() => new Float64Array()),
  );

  /** `parts` must be in order of time. */
  static joined(parts: readonly HealthSamples[]): HealthSamples {
    const [first, ...others] = parts.filter(({ length }) => length > 0);
    if (first === undefined) return HealthSamples.none;
    if (others.length === 0) return first;
    const all = [first, ...others];
    return new HealthSamples(
      concatenated(
        Float64Array,
        all.map(({ times }) => times),
      ),
      healthFields.map((field) =>
        concatenated(
          Float64Array,
          all.map((part) => part.column(field)),
        ),
      ),
    );
  }

  get length(): number {
    return this.#end - this.#first;
  }

  /** Ascending. */
  get times(): Float64Array {
    return this.#times.subarray(this.#first, this.#end);
  }

  at(index: number): Instant | undefined {
    return index < 0 || index >= this.length ? undefined : this.#times[this.#first + index];
  }

  /** Null without samples. */
  get newestAt(): Instant | null {
    return this.at(this.length - 1) ?? null;
  }

  /** NaN for values that were not measured. */
  column(field: HealthField): Float64Array {
    return this.#column(field).subarray(this.#first, this.#end);
  }

  values(field: HealthField): number[] {
    const column = this.#column(field);
    const values: number[] = [];
    for (let place = this.#first; place < this.#end; place += 1) {
      const value = column[place] ?? Number.NaN;
      if (!Number.isNaN(value)) values.push(value);
    }
    return values;
  }

  measured(field: HealthField): MeasuredValue[] {
    const column = this.#column(field);
    const known: MeasuredValue[] = [];
    for (let place = this.#first; place < this.#end; place += 1) {
      const value = column[place] ?? Number.NaN;
      if (!Number.isNaN(value)) known.push({ at: this.#times[place] ?? 0, value });
    }
    return known;
  }

  /** Null if the field was never measured. */
  newest(field: HealthField): MeasuredValue | null {
    const column = this.#column(field);
    for (let place = this.#end - 1; place >= this.#first; place -= 1) {
      const value = column[place] ?? Number.NaN;
      if (!Number.isNaN(value)) return { at: this.#times[place] ?? 0, value };
    }
    return null;
  }

  /** The first of the least values; null if the field was never measured. */
  least(field: HealthField): MeasuredValue | null {
    const column = this.#column(field);
    let place = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let each = this.#first; each < this.#end; each += 1) {
      const value = column[each] ?? Number.NaN;
      if (!(value <= least)) continue;
      least = value;
      place = each;
    }
    return place < 0 ? null : { at: this.#times[place] ?? 0, value: least };
  }

  has(field: HealthField): boolean {
    return this.newest(field) !== null;
  }

  /** `end` is exclusive. */
  part(first: number, end = this.length): HealthSamples {
    const from = this.#first + Math.max(0, first);
    const to = Math.min(this.#end, this.#first + end);
    return new HealthSamples(this.#times, this.#columns, [from, Math.max(from, to)]);
  }

  /** `to` is exclusive. */
  between(from: Instant, to = Infinity): HealthSamples {
    return this.part(placeOfTime(this.times, from), placeOfTime(this.times, to));
  }

  outside(times: readonly LeftOut[]): HealthSamples {
    return this.where((_, at) => !times.some(({ startedAt, endsAt }) => at >= startedAt && at < endsAt));
  }

  where(isKept: (index: number, at: Instant) => boolean): HealthSamples {
    const { times } = this;
    const kept: number[] = [];
    for (let index = 0; index < times.length; index += 1)
      if (isKept(index, times[index] ?? 0)) kept.push(index);
    if (kept.length === times.length) return this;
    const pick = (column: Float64Array): Float64Array =>
      Float64Array.from(kept, (index) => column[index] ?? Number.NaN);
    return new HealthSamples(
      pick(times),
      healthFields.map((field) => pick(this.column(field))),
    );
  }

  #column(field: HealthField): Float64Array {
    return this.#columns[placeOf[field]] ?? new Float64Array();
  }
}
