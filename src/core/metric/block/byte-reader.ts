import { DamagedBlock } from "./damaged-block.ts";

/** Bytes: 2^53 − 1 has eight times seven bits. */
const longestCount = 8;

/** Reads the output of `ByteWriter`; throws `DamagedBlock` if the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.at];
    if (value === undefined) throw new DamagedBlock("it ends too early");
    this.at += 1;
    return value;
  }

  count(): number {
    let value = 0;
    let unit = 1;
    for (let index = 0; index < longestCount; index += 1) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      unit *= 128;
    }
    throw new DamagedBlock("a number in it is too large");
  }

  double(): number {
    const bytes = this.take(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.#bytes.length) throw new DamagedBlock("it ends too early");
    const taken = this.#bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}
