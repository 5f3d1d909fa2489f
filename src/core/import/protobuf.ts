import { ImportError } from "./import-error.ts";

/** Invalid protobuf wire format, or an unexpected field type. */
export class WireError extends ImportError {
  override readonly name = "WireError";

  constructor(what: string, at: number) {
    super(`The file is damaged or of another kind: ${what} at byte ${at}. Send the file again, unchanged.`);
  }
}

/** Wire types; groups (3 and 4) are deprecated in protobuf and refused. */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const wireNames = new Map<number, string>(Object.entries(wire).map(([name, type]) => [type, name]));

const maxVarintBytes = 10;
const high = 2 ** 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the fields of one protobuf message in order, without copying: `while (reader.next())` with one read
 * or `skip` for each. Lengths are checked against the enclosing message, so that forged ones allocate
 * nothing. Throws WireError.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #start: number;
  readonly #end: number;
  #at: number;
  #low = 0;
  #high = 0;
  #wire = 0;
  /** Number of the present field. */
  field = 0;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length, view?: DataView) {
    this.#bytes = bytes;
    this.#view = view ?? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
    this.#at = start;
    this.#end = end;
  }

  /** False at the end of the message. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const start = this.#at;
    this.#varint();
    this.field = this.#low >>> 3;
    this.#wire = this.#low & 7;
    if (this.#high !== 0 || this.field === 0) throw new WireError("a field without a number", start);
    if (!wireNames.has(this.#wire)) throw new WireError(`a field of wire type ${this.#wire}`, start);
    return true;
  }

  skip(): void {
    if (this.#wire === wire.varint) this.#varint();
    else if (this.#wire === wire.fixed64) this.#take(8);
    else if (this.#wire === wire.fixed32) this.#take(4);
    else this.#take(this.#length());
  }

  /** Exact up to 2^53, beyond it the nearest double. */
  int64(): number {
    this.#expect(wire.varint);
    this.#varint();
    return (this.#high | 0) * high + (this.#low >>> 0);
  }

  /** Also reads enumerations; negative values come as ten bytes. */
  int32(): number {
    this.#expect(wire.varint);
    this.#varint();
    return this.#low | 0;
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  double(): number {
    this.#expect(wire.fixed64);
    return this.#view.getFloat64(this.#take(8), true);
  }

  text(): string {
    this.#expect(wire.bytes);
    const length = this.#length();
    const start = this.#take(length);
    try {
      return utf8.decode(this.#bytes.subarray(start, start + length));
    } catch {
      throw new WireError("text that is not UTF-8", start);
    }
  }

  message(): WireReader {
    this.#expect(wire.bytes);
    const length = this.#length();
    const start = this.#take(length);
    return new WireReader(this.#bytes, start, start + length, this.#view);
  }

  /** A new reader at the beginning of this message. */
  again(): WireReader {
    return new WireReader(this.#bytes, this.#start, this.#end, this.#view);
  }

  /** Reads each occurrence of field `field`, and skips the others. */
  each(field: number, read: (message: WireReader) => void): void {
    while (this.next()) {
      if (this.field === field) read(this.message());
      else this.skip();
    }
  }

  /** One value or, packed, several values of a repeated field. */
  doubles(each: (value: number) => void): void {
    if (this.#wire === wire.fixed64) return each(this.double());
    this.#expect(wire.bytes);
    const length = this.#length();
    const start = this.#take(length);
    if (length % 8 !== 0) throw new WireError("half a number", start);
    for (let at = start; at < start + length; at += 8) each(this.#view.getFloat64(at, true));
  }

  int32s(each: (value: number) => void): void {
    if (this.#wire === wire.varint) return each(this.int32());
    this.#expect(wire.bytes);
    const length = this.#length();
    const start = this.#take(length);
    const packed = new WireReader(this.#bytes, start, start + length, this.#view);
    while (packed.#at < packed.#end) {
      packed.#varint();
      each(packed.#low | 0);
    }
  }

  #expect(type: number): void {
    if (this.#wire !== type) {
      const names = `${wireNames.get(this.#wire)} in place of ${wireNames.get(type)}`;
      throw new WireError(`field ${this.field} as ${names}`, this.#at);
    }
  }

  #length(): number {
    this.#varint();
    return this.#high * high + this.#low;
  }

  /** Moves past the next `length` bytes, and answers where they begin. */
  #take(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new WireError("something longer than what is left", start);
    this.#at = start + length;
    return start;
  }

  /** Reads up to 64 bits as two unsigned halves; seven bits a byte, the lowest first. */
  #varint(): void {
    let [low, upper] = [0, 0];
    for (let index = 0; index < maxVarintBytes; index += 1) {
      const byte = this.#bytes[this.#take(1)] ?? 0;
      const part = byte & 127;
      if (index < 4) low |= part << (7 * index);
      else if (index === 4) {
        low |= part << 28;
        upper |= part >> 4;
      } else upper |= part << (7 * index - 32);
      if (byte < 128) {
        if (index === maxVarintBytes - 1 && part > 1) break;
        this.#low = low >>> 0;
        this.#high = upper >>> 0;
        return;
      }
    }
    throw new WireError("a number of more than 64 bits", this.#at);
  }
}
