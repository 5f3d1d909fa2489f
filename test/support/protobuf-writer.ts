// Bytes of the protobuf wire format, as tests put them together; nothing is checked, so that forged ones can be made.

/** Numbers of one byte; made once, for a forged profile has a million of them. */
const bytes = Array.from({ length: 128 }, (_, value) => Uint8Array.of(value));

/** An unsigned number, or a negative one as its 64 bits: ten bytes. */
export function varint(value: number | bigint): Uint8Array {
  const known = value >= 0 && value < 128 ? bytes[Number(value)] : undefined;
  if (known) return known;
  let rest = BigInt.asUintN(64, BigInt(value));
  const written: number[] = [];
  for (; rest > 127n; rest >>= 7n) written.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...written, Number(rest));
}

export const tag = (field: number, wire: number): Uint8Array => varint(field * 8 + wire);

export const concat = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => concat(parts);

export const int = (field: number, value: number | bigint): Uint8Array =>
  joined(tag(field, 0), varint(value));

/** Text, packed numbers or a message: whatever has a length. */
export const block = (field: number, content: Uint8Array): Uint8Array =>
  joined(tag(field, 2), varint(content.length), content);

export const text = (field: number, value: string): Uint8Array => block(field, Buffer.from(value, "utf8"));

export const message = (field: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  block(field, joined(...parts));

function float64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return bytes;
}

export const double = (field: number, value: number): Uint8Array => joined(tag(field, 1), float64(value));
export const packedDoubles = (field: number, values: readonly number[]): Uint8Array =>
  block(field, concat(values.map(float64)));
export const packedInts = (field: number, values: readonly number[]): Uint8Array =>
  block(field, concat(values.map(varint)));

/** One entry of a map whose keys and values are of these two fields. */
export const entry = (field: number, key: string, value: Uint8Array): Uint8Array =>
  message(field, text(1, key), value);
