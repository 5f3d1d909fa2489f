import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gunzip, isGzip } from "../../src/contract/files/gunzip.ts";
import { isHeapDump } from "../../src/documents/heap-dump.ts";
import { Refusal } from "../../src/core/errors.ts";

const limit = 16 * 1024 * 1024;
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));

/** The code a file is refused with, "taken" when it is not. */
function codeOf(bytes: Uint8Array): string {
  try {
    gunzip(bytes, limit);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "taken";
}

describe("a gzipped file", () => {
  it("[OUR-IMP-13] is refused above 16 MiB decompressed, a bomb without being unpacked", () => {
    const whole = gzipSync(new Uint8Array(limit), { level: 1 });
    expect(isGzip(whole)).toBe(true);
    expect(codeOf(whole)).toBe("taken");
    expect(codeOf(gzipSync(new Uint8Array(limit + 1), { level: 1 }))).toBe("too_large");
    const bomb = gzipSync(new Uint8Array(256 * 1024 * 1024), { level: 1 });
    const [before, started] = [process.memoryUsage().rss, performance.now()];
    expect(codeOf(bomb)).toBe("too_large");
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    const took = performance.now() - started;
    console.log(
      `gzip bomb: ${bomb.length} bytes of 256 MiB, refused in ${took.toFixed(0)} ms, RSS ${grown.toFixed(0)} MiB more`,
    );
    expect(grown).toBeLessThan(100);
  });

  it("[OUR-IMP-13] is refused when its gzip is broken", () => {
    const packed = new Uint8Array(gzipSync(bytesOf("a profile ".repeat(100))));
    const flipped = packed.slice();
    flipped[20] = (flipped[20] ?? 0) ^ 0xff;
    for (const broken of [packed.slice(0, -9), packed.slice(0, 2), flipped])
      expect(codeOf(broken)).toBe("invalid_body");
  });
});

describe("a heap dump", () => {
  const dumps = ["JAVA PROFILE 1.0.2\0\0\0\0\u0008", "JAVA PROFILE 1.0.1\0", "\0\u0012portable heap dump\0"];

  it("[OUR-IMP-13] is known by its first bytes, gzipped too, however long it is", () => {
    for (const dump of dumps) {
      expect(isHeapDump(bytesOf(dump))).toBe(true);
      expect(isHeapDump(gzipSync(bytesOf(dump)))).toBe(true);
      const long = Buffer.concat([bytesOf(dump), Buffer.alloc(64 * 1024 * 1024)]);
      expect(isHeapDump(long)).toBe(true);
      expect(isHeapDump(gzipSync(long, { level: 1 }))).toBe(true);
      const random = Buffer.concat([
        bytesOf(dump),
        Buffer.from(Array.from({ length: 1e5 }, (_, at) => (at * 7919) % 251)),
      ]);
      expect(isHeapDump(gzipSync(random).subarray(0, 5000))).toBe(true);
    }
  });

  it("[OUR-IMP-13] is nothing else", () => {
    const others = [
      "",
      "JAVA PROFILE",
      "\u001f\u008b",
      "\u001f\u008bJAVA PROFILE 1.0.2",
      ' {"a":"JAVA PROFILE 1.0.2"}',
      "9986:\n",
    ];
    for (const text of others) {
      expect(isHeapDump(bytesOf(text)), JSON.stringify(text)).toBe(false);
      expect(isHeapDump(gzipSync(bytesOf(text)))).toBe(false);
    }
  });
});
