import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { DamagedBlock } from "./damaged-block.ts";

/**
 * The bits of each double, XOR those of the one before, without the zero bytes at both ends (after Gorilla;
 * Pelkonen et al., 2015). A byte says how many zero bytes come first, and how many other bytes follow.
 */
export function encodeXor(values: Float64Array, writer: ByteWriter): void {
  const bits = bytesOf(values);
  for (let index = 0; index < values.length; index += 1) {
    const changed = bits.slice(8 * index, 8 * index + 8);
    if (index > 0) applyXor(changed, 0, bits.subarray(8 * index - 8, 8 * index));
    const first = changed.findIndex((byte) => byte !== 0);
    const last = changed.findLastIndex((byte) => byte !== 0);
    const length = first < 0 ? 0 : last - first + 1;
    writer.byte(length === 0 ? 0 : first * 16 + length);
    writer.all(changed.subarray(Math.max(0, first), Math.max(0, first) + length));
  }
}

export function decodeXor(reader: ByteReader, out: Float64Array): void {
  const bits = new Uint8Array(8 * out.length);
  for (let index = 0; index < out.length; index += 1) {
    const place = 8 * index;
    if (index > 0) bits.copyWithin(place, place - 8, place);
    const head = reader.byte();
    const [first, length] = [head >> 4, head & 15];
    if (first + length > 8) throw new DamagedBlock("a number in it has too many bytes");
    applyXor(bits, place + first, reader.take(length));
  }
  const view = new DataView(bits.buffer);
  for (let index = 0; index < out.length; index += 1) {
    const value = view.getFloat64(8 * index, false);
    // NaN is an unknown value, which is never written here.
    if (Number.isNaN(value)) throw new DamagedBlock("a value in it is no number");
    out[index] = value;
  }
}

/** The highest byte of each value first, on every machine. */
function bytesOf(values: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (const [index, value] of values.entries()) view.setFloat64(8 * index, value, false);
  return new Uint8Array(view.buffer);
}

function applyXor(bytes: Uint8Array, at: number, changes: Uint8Array): void {
  for (const [index, change] of changes.entries()) bytes[at + index] = (bytes[at + index] ?? 0) ^ change;
}
