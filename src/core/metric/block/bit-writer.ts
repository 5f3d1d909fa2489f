/** Bits written at once: together with at most seven that wait, they fit an integer of 32 bits. */
const atOnce = 24;

/** The first bit is the highest of its byte. */
export class BitWriter {
  readonly #bytes: number[] = [];
  /** Bits that do not fill a byte yet. */
  #rest = 0;
  #restBits = 0;

  /** Writes the lowest `width` bits of an integer below 2^53, the highest first. */
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

  /** The last byte is filled up with zeros. */
  taken(): Uint8Array {
    const last = this.#restBits === 0 ? [] : [this.#rest << (8 - this.#restBits)];
    return Uint8Array.from([...this.#bytes, ...last]);
  }
}
