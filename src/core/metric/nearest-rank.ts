const digitBits = 16;
const digits = 64 / digitBits;
const bins = 1 << digitBits;

/** Up to so many values a sort is quicker than counting them in bins, whose memory has to be cleared every time. */
const sortedUpTo = 4096;

/** Where a double's four 16-bit digits stand, the most significant first, in this machine's byte order. */
const digitPlaces = ((): readonly number[] => {
  const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  return isLittleEndian ? [3, 2, 1, 0] : [0, 1, 2, 3];
})();

/**
 * The value of nearest rank `share` (0–1): `sorted[ceil(share · n) − 1]`, always a measured value; null of none.
 * Of many it is found digit by digit in four passes at most over the values, whatever they are: what a plugin
 * sends cannot make it slow, and a sort would hold the thread several times as long. Values are finite and not negative,
 * whose bits order like themselves.
 */
export function nearestRank(values: Float64Array, share: number): number | null {
  const rank = Math.max(1, Math.ceil(share * values.length)) - 1;
  if (values.length <= sortedUpTo) return values.slice().sort()[rank] ?? null;
  let rest = values;
  let index = rank;
  for (let digit = 0; digit < digits; digit += 1) {
    if (rest.length <= 1) break;
    const { bin, before, size } = binOf(rest, digit, index);
    if (size < rest.length) rest = inBin(rest, digit, bin, size);
    index -= before;
  }
  return rest[0] ?? null;
}

const digitsOf = (values: Float64Array): Uint16Array =>
  new Uint16Array(values.buffer, values.byteOffset, values.length * digits);

interface Bin {
  readonly bin: number;
  /** How many values lie in lower bins. */
  readonly before: number;
  readonly size: number;
}

/** The bin that holds the value of rank `index`. */
function binOf(values: Float64Array, digit: number, index: number): Bin {
  const counts = new Uint32Array(bins);
  const parts = digitsOf(values);
  for (let at = digitPlaces[digit] ?? 0; at < parts.length; at += digits) {
    const bin = parts[at] ?? 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  let before = 0;
  for (let bin = 0; bin < bins; bin += 1) {
    const size = counts[bin] ?? 0;
    if (before + size > index) return { bin, before, size };
    before += size;
  }
  throw new RangeError(`There is no rank ${index} among ${values.length} values.`);
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
