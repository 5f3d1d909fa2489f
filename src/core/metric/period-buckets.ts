import { bandIndexOf } from "../health/bands.ts";
import type { Instant } from "../time.ts";
import { bucketMs, type SeriesChunk } from "./chunk.ts";
import type { SeriesField } from "./fields.ts";

/** The band of an interval whose number of players is unknown. */
const unknownBand = 255;

/** The means of each five minutes: 12 bytes for each and field, 10 MB for a year of eight fields. */
export class PeriodBuckets {
  readonly from: Instant;
  readonly to: Instant;
  readonly fields: readonly SeriesField[];
  /** The index of the first five minutes, counted from the Unix epoch. */
  readonly first: number;
  readonly length: number;
  readonly #sums: readonly Float64Array[];
  readonly #counts: readonly Uint32Array[];
  /** Points given to `add` so far. */
  points = 0;

  constructor(from: Instant, to: Instant, fields: readonly SeriesField[]) {
    this.from = from;
    this.to = to;
    this.fields = fields;
    this.first = Math.floor(from / bucketMs);
    this.length = Math.max(0, Math.ceil(to / bucketMs) - this.first);
    this.#sums = fields.map(() => new Float64Array(this.length));
    this.#counts = fields.map(() => new Uint32Array(this.length));
  }

  /** Points come in any order, columns in that of `fields`. Points outside of the period are left out. */
  add({ times, columns }: SeriesChunk): void {
    this.points += times.length;
    const places = new Int32Array(times.length);
    for (let index = 0; index < times.length; index += 1)
      places[index] = Math.floor((times[index] ?? 0) / bucketMs) - this.first;
    for (let field = 0; field < this.fields.length; field += 1) {
      const [column, sums, counts] = [columns[field], this.#sums[field], this.#counts[field]];
      if (!column || !sums || !counts) continue;
      const values = column.values();
      for (let index = 0; index < places.length; index += 1) {
        const [place, value] = [places[index] ?? -1, values[index] ?? Number.NaN];
        if (Number.isNaN(value) || place < 0 || place >= this.length) continue;
        sums[place] = (sums[place] ?? 0) + value;
        counts[place] = (counts[place] ?? 0) + 1;
      }
    }
  }

  /** NaN if the field was not measured, or is not among `fields`. */
  means(field: SeriesField): Float64Array {
    const at = this.fields.indexOf(field);
    const means = new Float64Array(this.length).fill(Number.NaN);
    const [sums, counts] = [this.#sums[at], this.#counts[at]];
    if (!sums || !counts) return means;
    for (let place = 0; place < this.length; place += 1) {
      const count = counts[place] ?? 0;
      if (count > 0) means[place] = (sums[place] ?? 0) / count;
    }
    return means;
  }
}

export const bandsOf = (players: Float64Array): Uint8Array =>
  Uint8Array.from(players, (count) => (Number.isNaN(count) ? unknownBand : bandIndexOf(count)));
