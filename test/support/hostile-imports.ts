import { block, int, joined, message, packedInts, text } from "./protobuf-writer.ts";
import { callNode, deepThread, sparkFile } from "./spark-file.ts";

/** The longest file that is taken, bytes. */
export const importLimit = 16 * 1024 * 1024;

/** Pieces as many as fit below the limit. */
function filled(piece: (index: number) => Uint8Array, most = Number.POSITIVE_INFINITY): Uint8Array {
  const bytes = new Uint8Array(importLimit - 4096);
  let length = 0;
  for (let index = 0; index < most; index += 1) {
    const next = piece(index);
    if (length + next.length > bytes.length) break;
    bytes.set(next, length);
    length += next.length;
  }
  return bytes.subarray(0, length);
}

/** The same piece again and again, up to the limit. */
const repeated = (piece: Uint8Array): Uint8Array => {
  const bytes = Buffer.alloc(importLimit - 4096, piece);
  return bytes.subarray(0, bytes.length - (bytes.length % piece.length));
};

const empty = sparkFile({ threads: [] });

/** A thread that ticks, of these fields. */
const ticking = (fields: Uint8Array): Uint8Array =>
  joined(empty, message(2, text(1, "Server thread"), fields));

const rows = (count: number): string =>
  Array.from({ length: count }, (_, index) => ` ${index + 1}: 1 16 c${index.toString(36)}`).join("\n");

/** Files near the limit, each the worst of its kind for a reader; by name, with what reads them. */
export const hostileImports: Readonly<
  Record<string, { kind: "profile" | "heap" | "histogram"; bytes: () => Uint8Array }>
> = {
  "500,000 calls of 200,000 methods": {
    kind: "profile",
    bytes: () => {
      const calls = 499_999;
      const nodes = filled((index) => callNode(`m${index % 199_999}.x`, [4], []), calls);
      return ticking(
        joined(
          nodes,
          packedInts(
            5,
            Array.from({ length: calls }, (_, index) => index),
          ),
        ),
      );
    },
  },
  "400,000 levels deep": {
    kind: "profile",
    bytes: () => sparkFile({ threads: [deepThread(400_000)] }),
  },
  "empty calls": { kind: "profile", bytes: () => ticking(repeated(block(3, new Uint8Array()))) },
  "one list of references": {
    kind: "profile",
    bytes: () => ticking(joined(callNode("a.A.b", [4], []), block(5, new Uint8Array(importLimit - 4096)))),
  },
  "one call with two million times": {
    kind: "profile",
    bytes: () => {
      const times = new Uint8Array(8 * 2_000_000);
      return ticking(joined(message(3, text(3, "a.A"), block(8, times)), packedInts(5, [0])));
    },
  },
  "one name": {
    kind: "profile",
    bytes: () => ticking(joined(message(3, text(3, "é".repeat(importLimit / 2 - 4096))), packedInts(5, [0]))),
  },
  "empty threads that tick": {
    kind: "profile",
    bytes: () => joined(empty, repeated(message(2, text(1, "Server thread")))),
  },
  "owners of classes": {
    kind: "profile",
    bytes: () =>
      joined(
        sparkFile(),
        filled((index) => message(3, text(1, index.toString(36)), text(2, `s${index}`)), 400_000),
      ),
  },
  "too many owners of classes": {
    kind: "profile",
    bytes: () =>
      joined(
        sparkFile(),
        filled((index) => message(3, text(1, index.toString(36)))),
      ),
  },
  "fields unknown here": {
    kind: "profile",
    bytes: () => joined(sparkFile(), repeated(int(100, 1))),
  },
  "500,000 classes of a heap": {
    kind: "heap",
    bytes: () =>
      filled(
        (index) => message(2, int(2, 1), int(3, 16), text(4, `class.number${index.toString(36)}`)),
        500_000,
      ),
  },
  "nothing but numbers": {
    kind: "heap",
    bytes: () => repeated(int(9, 1)),
  },
  "500,000 rows": { kind: "histogram", bytes: () => Buffer.from(rows(500_000)) },
  "one row": { kind: "histogram", bytes: () => Buffer.from(`1: 1 1 ${" (".repeat(importLimit / 2 - 2048)}`) },
  spaces: { kind: "histogram", bytes: () => Buffer.alloc(importLimit, " ") },
  digits: { kind: "histogram", bytes: () => Buffer.alloc(importLimit, "1") },
};
