const digitBits = 16;
const digits = 64 / digitBits;
const bins = 1 << digitBits;

/** Up to this many values partitions are faster than counting in bins, whose memory must be cleared each time. */
const partedUpTo = 65_536;

/** After so many partitions what is left is sorted: values in an unlucky order would take a partition each. */
const mostPartitions = 48;

/** The places of a double's four 16-bit digits, most significant first, in this machine's byte order. */
const digitPlaces = ((): readonly number[] => {
  const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  return isLittleEndian ? [3, 2, 1, 0] : [0, 1, 2, 3];
})();

/**
 * `sorted[ceil(share · n) − 1]` for each share (0–1, ascending); nulls if there are no values. Many values are
 * searched digit by digit, in at most four passes, fewer by partitions (quickselect): a sort would hold the
 * thread several times as long. Values must be finite and not negative, so that their bits order like
 * themselves.
 */
export function* nearestRanks(
  values: Float64Array,
  shares: readonly number[],
): Generator<void, (number | null)[]> {
  const ranks = shares.map((share) => Math.max(1, Math.ceil(share * values.length)) - 1);
  if (values.length <= partedUpTo) {
    const parted = values.slice();
    // A value that is found has no larger one before it.
    return ranks.map((rank, index) => valueAtRank(parted, rank, ranks[index - 1] ?? 0));
  }
  // The first pass is the same for all ranks.
  const counts = digitCounts(values, 0);
  const found: (number | null)[] = [];
  for (const rank of ranks) {
    yield;
    found.push(valueOfRank(values, counts, rank));
  }
  return found;
}

/** Runs without a pause; null if there are no values. */
export function nearestRank(values: Float64Array, share: number): number | null {
  const steps = nearestRanks(values, [share]);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value[0] ?? null;
}

/**
 * Puts the value of a rank at its place, with none larger before it and none smaller behind it. `from`: a place
 * at or before the rank for which that holds already, or 0.
 */
function valueAtRank(values: Float64Array, rank: number, from: number): number | null {
  let [low, high] = [from, values.length - 1];
  for (let partitions = 0; low < high; partitions += 1) {
    if (partitions === mostPartitions) {
      values.subarray(low, high + 1).sort();
      break;
    }
    const pivot = medianOfThree(values[low] ?? 0, values[(low + high) >> 1] ?? 0, values[high] ?? 0);
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1;
      while ((values[right] ?? 0) > pivot) right -= 1;
      if (left > right) break;
      const value = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = value;
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? null;
}

function medianOfThree(one: number, two: number, three: number): number {
  if (one > two) return one < three ? one : Math.max(two, three);
  return one > three ? one : Math.min(two, three);
}

function valueOfRank(values: Float64Array, firstCounts: Uint32Array, rank: number): number | null {
  let rest = values;
  let index = rank;
  for (let digit = 0; digit < digits; digit += 1) {
    if (rest.length <= 1) break;
    const counts = digit === 0 ? firstCounts : digitCounts(rest, digit);
    const { bin, before, size } = binOf(counts, index);
    if (size < rest.length) rest = inBin(rest, digit, bin, size);
    index -= before;
  }
  return rest[0] ?? null;
}

const digitsOf = (values: Float64Array): Uint16Array =>
  new Uint16Array(values.buffer, values.byteOffset, values.length * digits);

interface Bin {
  readonly bin: number;
  /** The number of values in lower bins. */
  readonly before: number;
  readonly size: number;
}

function digitCounts(values: Float64Array, digit: number): Uint32Array {
  const counts = new Uint32Array(bins);
  const parts = digitsOf(values);
  for (let at = digitPlaces[digit] ?? 0; at < parts.length; at += digits) {
    const bin = parts[at] ?? 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

function binOf(counts: Uint32Array, index: number): Bin {
  let before = 0;
  for (let bin = 0; bin < bins; bin += 1) {
    const size = counts[bin] ?? 0;
    if (before + size > index) return { bin, before, size };
    before += size;
  }
  throw new RangeError(`There are fewer values than the rank ${index}.`);
}

function inBin(values: Float64Array, digit: number, bin: number, size: number): Float64Array {
  const place = digitPlaces[digit] ?? 0;
  const parts = digitsOf(values);
  const kept = new Float64Array(size);
  let count = 0;
  for (let index = 0; index < values.length; index += 1) {
    if (parts[index * digits + place] !== bin) continue;
    kept[count] = values[index] ?? 0;
    count += 1;
  }
  return kept;
}
