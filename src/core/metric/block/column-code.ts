import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { DamagedBlock } from "./damaged-block.ts";
import { decodeRice, encodeRice, riceBits } from "./rice-code.ts";
import { decodeXor, encodeXor } from "./xor-code.ts";

/** Decimal places that are tried. */
const mostPlaces = 9;
/** Scaled numbers are smaller, so that sums and differences of differences stay exact in doubles. */
const scaledLimit = 2 ** 40;
/** The first byte of a column of doubles; of decimals it has the places, and 16 times the order. */
const xorHead = 0xff;

export interface Totals {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  /** The number of known values. */
  readonly count: number;
}

/** The known values as integers with `places` decimal places; null if that would change a value. */
function scaled(values: Float64Array): { readonly places: number; readonly numbers: Float64Array } | null {
  let places = 0;
  const isExact = (value: number): boolean => {
    const number = Math.round(value * 10 ** places);
    return Math.abs(number) < scaledLimit && Object.is(number / 10 ** places + 0, value);
  };
  for (const value of values) for (; !isExact(value); places += 1) if (places === mostPlaces) return null;
  const unit = 10 ** places;
  const numbers = values.map((value) => Math.round(value * unit));
  return numbers.some((number) => Math.abs(number) >= scaledLimit) ? null : { places, numbers };
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

/** Order 0: less the minimum; 1: the difference from the number before; 2: the difference of those. */
function residuals(numbers: Float64Array, min: number, order: number): Float64Array {
  if (order === 0) return numbers.map((number) => number - min);
  const differences = numbers.map((number, index) => number - (numbers[index - 1] ?? min));
  if (order === 1) return differences.map(zigzag);
  return differences.map((each, index) => zigzag(index < 2 ? each : each - (differences[index - 1] ?? 0)));
}

const smallLimit = 2 ** 31;

function fromZigzag(number: number): number {
  // With integers of 32 bits where they fit: the remainder of a division of doubles takes ten times as long.
  if (number < smallLimit) return (number >>> 1) ^ -(number & 1);
  const halved = Math.floor(number / 2);
  return halved * 2 === number ? halved : -halved - 1;
}

/** The inverse of `residuals`, in place, as decimals. */
function restore(numbers: Float64Array, min: number, order: number, unit: number): void {
  if (order === 0) {
    for (let index = 0; index < numbers.length; index += 1)
      numbers[index] = (min + (numbers[index] ?? 0)) / unit;
    return;
  }
  let [value, difference] = [min, 0];
  for (let index = 0; index < numbers.length; index += 1) {
    const change = fromZigzag(numbers[index] ?? 0);
    difference = order === 1 || index < 2 ? change : difference + change;
    value += difference;
    // A division takes longer than everything else here.
    numbers[index] = unit === 1 ? value : value / unit;
  }
}

const orders = [0, 1, 2] as const;

/** Encodes integers of at most 2^40 in size, in the order that takes the fewest bits. */
export function encodeIntegers(numbers: Float64Array, min: number): { order: number; bytes: Uint8Array } {
  const tried = orders.map((order) => {
    const rest = residuals(numbers, min, order);
    return { order, rest, bits: riceBits(rest) };
  });
  const { order, rest } = tried.reduce((best, next) => (next.bits < best.bits ? next : best));
  return { order, bytes: encodeRice(rest) };
}

export function decodeIntegers(
  bytes: Uint8Array,
  min: number,
  order: number,
  unit: number,
  out: Float64Array,
): void {
  if (order > 2) throw new DamagedBlock("a column in it has an unknown order");
  decodeRice(bytes, out);
  restore(out, min, order, unit);
}

/** The number of known values; unless all are known, runs of known and unknown ones too, known first. */
function writePresence(values: Float64Array, count: number, writer: ByteWriter): void {
  writer.count(count);
  if (count === values.length) return;
  let [isKnown, start] = [true, 0];
  for (let index = 0; index <= values.length; index += 1) {
    if (index < values.length && !Number.isNaN(values[index]) === isKnown) continue;
    writer.count(index - start);
    [isKnown, start] = [!isKnown, index];
  }
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** NaN is an unknown value; null if no value is known. */
export function encodeColumn(values: Float64Array): Uint8Array | null {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return null;
  const writer = new ByteWriter();
  const decimals = scaled(known);
  if (decimals === null) {
    writer.byte(xorHead);
    writePresence(values, known.length, writer);
    for (const total of [Math.min(...known), Math.max(...known), sumOf(known)]) writer.double(total);
    encodeXor(known, writer);
    return writer.taken();
  }
  const { places, numbers } = decimals;
  const [min, max] = [Math.min(...numbers) + 0, Math.max(...numbers)];
  const { order, bytes } = encodeIntegers(numbers, min);
  writer.byte(places + 16 * order);
  writePresence(values, known.length, writer);
  writer.count(zigzag(min));
  writer.count(max - min);
  if (min === max) return writer.taken();
  writer.count(sumOf(numbers) - known.length * min);
  writer.all(bytes);
  return writer.taken();
}

/** Totals are decoded at once, values when they are needed. */
export class EncodedColumn {
  readonly totals: Totals;
  readonly #points: number;
  readonly #head: number;
  /** Of decimals, as integers: the least, and the largest less the least. */
  readonly #min: number = 0;
  readonly #spread: number = 0;
  readonly #bytes: Uint8Array;
  readonly #presenceAt: number;
  readonly #valuesAt: number;

  constructor(bytes: Uint8Array, points: number) {
    const reader = new ByteReader(bytes);
    this.#bytes = bytes;
    this.#points = points;
    this.#head = reader.byte();
    const count = reader.count();
    if (count === 0 || count > points) throw new DamagedBlock("a column in it has another length");
    this.#presenceAt = reader.at;
    if (count < points) for (let seen = 0; seen < points;) seen += reader.count();
    if (this.#head === xorHead) {
      this.totals = { min: reader.double(), max: reader.double(), sum: reader.double(), count };
    } else {
      if (this.#places > mostPlaces) throw new DamagedBlock("a column in it has too many places");
      this.#min = fromZigzag(reader.count());
      this.#spread = reader.count();
      if (Math.abs(this.#min) >= scaledLimit || this.#spread >= 2 * scaledLimit)
        throw new DamagedBlock("a number in it is too large");
      const above = this.#spread === 0 ? 0 : reader.count();
      const unit = 10 ** this.#places;
      this.totals = {
        min: this.#min / unit,
        max: (this.#min + this.#spread) / unit,
        sum: (count * this.#min + above) / unit,
        count,
      };
    }
    this.#valuesAt = reader.at;
  }

  get #places(): number {
    return this.#head & 15;
  }

  /** Writes the known values one after another from `at` on; returns their number. */
  writeKnown(target: Float64Array, at: number): number {
    const { count, min } = this.totals;
    const out = target.subarray(at, at + count);
    if (this.#head === xorHead) decodeXor(new ByteReader(this.#bytes, this.#valuesAt), out);
    else if (this.#spread === 0) out.fill(min);
    else
      decodeIntegers(
        this.#bytes.subarray(this.#valuesAt),
        this.#min,
        this.#head >> 4,
        10 ** this.#places,
        out,
      );
    return count;
  }

  /** A value for each point, NaN if it is unknown. */
  values(): Float64Array {
    const { count } = this.totals;
    const known = new Float64Array(count);
    this.writeKnown(known, 0);
    if (count === this.#points) return known;
    const values = new Float64Array(this.#points).fill(Number.NaN);
    const reader = new ByteReader(this.#bytes, this.#presenceAt);
    let read = 0;
    for (let at = 0, isKnown = true; at < values.length; isKnown = !isKnown) {
      const length = reader.count();
      if (at + length > values.length) throw new DamagedBlock("a column in it has another length");
      if (isKnown) {
        values.set(known.subarray(read, read + length), at);
        read += length;
      }
      at += length;
    }
    if (read !== count) throw new DamagedBlock("a column in it has another length");
    return values;
  }
}
