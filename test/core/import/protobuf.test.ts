import { describe, expect, it } from "vitest";
import { WireError, WireReader } from "../../../src/core/import/protobuf.ts";
import {
  block,
  double,
  int,
  joined,
  message,
  packedDoubles,
  packedInts,
  tag,
  text,
  varint,
} from "../../support/protobuf-writer.ts";

/** What `read` makes of each field of these bytes. */
function all<Value>(bytes: Uint8Array, read: (reader: WireReader) => Value): Value[] {
  const reader = new WireReader(bytes);
  const values: Value[] = [];
  while (reader.next()) values.push(read(reader));
  return values;
}

const int32s = (bytes: Uint8Array): number[] =>
  all(bytes, (reader) => {
    const values: number[] = [];
    reader.int32s((value) => values.push(value));
    return values;
  }).flat();

const doubles = (bytes: Uint8Array): number[] =>
  all(bytes, (reader) => {
    const values: number[] = [];
    reader.doubles((value) => values.push(value));
    return values;
  }).flat();

describe("the protobuf wire format", () => {
  it("[OUR-IMP-14] numbers of every length are read, negative ones from ten bytes", () => {
    const numbers = [0, 1, 127, 128, 300, 2 ** 31 - 1, -1, -2, -(2 ** 31)];
    expect(varint(-1)).toHaveLength(10);
    expect(int32s(joined(...numbers.map((value) => int(1, value))))).toEqual(numbers);
    expect(int32s(packedInts(1, numbers))).toEqual(numbers);
    const long = [1_781_909_775_378, 2 ** 53, -(2 ** 53), 2 ** 62, -(2 ** 63), 2 ** 32, 2 ** 28 - 1, 2 ** 35];
    expect(all(joined(...long.map((value) => int(1, value))), (reader) => reader.int64())).toEqual(long);
    expect(all(int(1, 18_446_744_073_709_551_615n), (reader) => reader.int64())).toEqual([-1]);
  });

  it("[OUR-IMP-14] lists are read packed and one by one, doubles and texts as they are", () => {
    const numbers = [0, 4, -0.5, 1e300, Number.MIN_VALUE];
    expect(doubles(packedDoubles(1, numbers))).toEqual(numbers);
    expect(doubles(joined(...numbers.map((value) => double(1, value))))).toEqual(numbers);
    expect(doubles(block(1, new Uint8Array()))).toEqual([]);
    const words = ["", "Server thread", "é世😀\ufeff", "\ufeffmark"];
    expect(all(joined(...words.map((word) => text(1, word))), (reader) => reader.text())).toEqual(words);
  });

  it("[OUR-IMP-14] fields that nobody asked for are skipped, of whatever type", () => {
    const bytes = joined(
      int(9, -1),
      double(9, 1),
      message(9, text(1, "x")),
      joined(tag(9, 5), new Uint8Array(4)),
      int(536_870_911, 1),
      int(1, 7),
    );
    const kept: number[] = [];
    const reader = new WireReader(bytes);
    while (reader.next()) {
      if (reader.field === 1) kept.push(reader.int32());
      else reader.skip();
    }
    expect(kept).toEqual([7]);
    const inner: number[] = [];
    new WireReader(joined(int(2, 1), message(3, int(1, 5)), message(4, int(1, 6)))).each(3, (found) => {
      while (found.next()) inner.push(found.int32());
    });
    expect(inner).toEqual([5]);
  });

  const bad: Readonly<Record<string, Uint8Array>> = {
    "a field without its value": tag(1, 0),
    "a number that is cut short": joined(tag(1, 0), Uint8Array.of(0x80)),
    "a number of eleven bytes": joined(tag(1, 0), new Uint8Array(10).fill(0x80), Uint8Array.of(1)),
    "a number of 65 bits": joined(tag(1, 0), new Uint8Array(9).fill(0xff), Uint8Array.of(2)),
    "half a double": joined(tag(1, 1), new Uint8Array(7)),
    "half a fixed32": joined(tag(1, 5), new Uint8Array(3)),
    "a text longer than the file": joined(tag(1, 2), varint(5), Uint8Array.of(1, 2, 3, 4)),
    "a text of 2^63 bytes": joined(tag(1, 2), varint(2n ** 63n)),
    "field 0": joined(Uint8Array.of(0), varint(1)),
    "a field number of 33 bits": joined(varint(2n ** 35n), varint(1)),
    "the begin of a group": tag(1, 3),
    "the end of a group": tag(1, 4),
    "wire type 6": tag(1, 6),
    "wire type 7": tag(1, 7),
  };
  for (const [name, bytes] of Object.entries(bad))
    it(`[OUR-IMP-14] ${name} is refused with its place`, () => {
      const reading = () => all(bytes, (reader) => reader.skip());
      expect(reading).toThrow(WireError);
      expect(reading).toThrow(/ at byte \d+\. Send the file again/);
    });

  it("[OUR-IMP-14] nothing is read beyond the message it stands in", () => {
    const inner = joined(tag(1, 2), varint(3), Uint8Array.of(1));
    const reader = new WireReader(joined(block(1, inner), new Uint8Array(50)));
    reader.next();
    const found = reader.message();
    found.next();
    expect(() => found.text()).toThrow(WireError);
  });

  it("[OUR-IMP-14] values of another type, half doubles in a list and broken UTF-8 are refused", () => {
    const once = (bytes: Uint8Array, read: (reader: WireReader) => unknown) => () => all(bytes, read);
    expect(once(int(1, 1), (reader) => reader.text())).toThrow("varint in place of bytes");
    expect(once(text(1, "a"), (reader) => reader.int32())).toThrow("bytes in place of varint");
    expect(once(int(1, 1), (reader) => reader.double())).toThrow("varint in place of fixed64");
    expect(once(text(1, "1234567"), (reader) => reader.doubles(() => {}))).toThrow("half a number");
    expect(once(block(1, Uint8Array.of(0xc3)), (reader) => reader.text())).toThrow("not UTF-8");
    expect(once(block(1, Uint8Array.of(0xed, 0xa0, 0x80)), (reader) => reader.text())).toThrow("not UTF-8");
    expect(once(block(1, Uint8Array.of(0x80)), (reader) => reader.int32s(() => {}))).toThrow(WireError);
  });
});
