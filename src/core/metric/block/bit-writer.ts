/** Bits that are written at once in whole numbers of 32 bits, beside at most seven that wait for the rest of their byte. */
const atOnce = 24;

/** Bits, the first one the highest of its byte. */
export class BitWriter {
  readonly #bytes: number[] = [];
  /** The bits that are no whole byte yet. */
  #rest = 0;
  #restBits = 0;

  /** The lowest `width` bits of a whole number below 2^53, the highest first. */
  bits(value: number, width: number): void {
    if (width > atOnce) {
      this.bits(Math.floor(value / 2 ** atOnce), width - atOnce);
      this.bits(value % 2 ** atOnce, atOnce);
      return;
    }
    let bits = this.#restBits + width;
    const waiting = (this.#rest << width) | value;
    for (; bits >= 8; bits -= 8) this.#bytes.push((waiting >>> (bits - 8)) & 255);
    this.#restBits = bits;
    this.#rest = waiting & ((1 << bits) - 1);
  }

  /** What was written, filled up with zeros to a whole byte. */
  taken(): Uint8Array {
    const last = this.#restBits === 0 ? [] : [this.#rest << (8 - this.#restBits)];
    return Uint8Array.from([...this.#bytes, ...last]);
  }
}
