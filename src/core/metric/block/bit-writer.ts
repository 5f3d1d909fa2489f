/** Bits, the first one the highest of its byte. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #free = 8;

  bit(value: number): void {
    this.#free -= 1;
    this.#byte |= value << this.#free;
    if (this.#free > 0) return;
    this.#bytes.push(this.#byte);
    this.#byte = 0;
    this.#free = 8;
  }

  /** The lowest `width` bits of a whole number below 2^53, the highest first. */
  bits(value: number, width: number): void {
    for (let place = width - 1; place >= 0; place -= 1) this.bit(Math.floor(value / 2 ** place) % 2);
  }

  /** What was written, filled up with zeros to a whole byte. */
  taken(): Uint8Array {
    return Uint8Array.from(this.#free === 8 ? this.#bytes : [...this.#bytes, this.#byte]);
  }
}
