import { gzipSync } from "node:zlib";
import { longestUpload } from "../../src/core/import/longest-upload.ts";

/** A body that costs much to read for what it costs to send. */
export interface CostlyBody {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Text of about that many bytes that makes a parser work: many values, deep ones, long names, escapes, numbers. */
const patterns: Readonly<Record<string, (bytes: number) => string>> = {
  "empty arrays": (bytes) => `{"a":[${"[],".repeat(bytes / 3)}[]]}`,
  "empty objects": (bytes) => `[${"{},".repeat(bytes / 3)}{}]`,
  "nested arrays": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "nested objects": (bytes) => '{"a":'.repeat(bytes / 6) + "1" + "}".repeat(bytes / 6),
  "one digit numbers": (bytes) => `{"a":[${"1,".repeat(bytes / 2)}1]}`,
  "long numbers": (bytes) => `{"a":${"9".repeat(bytes)}}`,
  exponents: (bytes) => `{"a":[${"1e-300,".repeat(bytes / 7)}1]}`,
  "escaped text": (bytes) => `{"a":"${"\\u0041".repeat(bytes / 6)}"}`,
  "many members": (bytes) => `{${Array.from({ length: bytes / 10 }, (_, at) => `"k${at}":1`).join()}}`,
  "members of one name": (bytes) => `{${'"a":1,'.repeat(bytes / 6)}"a":1}`,
  "no end": (bytes) => `{"a":"${"x".repeat(bytes)}`,
  "many pairs": (bytes) => "a&".repeat(bytes / 2),
  "escaped pairs": (bytes) => "%41=%ff&".repeat(bytes / 8),
};

/** Bytes: what is read without a credential, and what routes take of those who have one. */
const sizes = [4000, 256 * 1024, 1024 * 1024, 2 * 1024 * 1024];

/** Every pattern in every size and on every way there is to send it, and a body as long as the longest file. */
export function costlyBodies(): CostlyBody[] {
  const longest = Buffer.alloc(longestUpload, " ");
  const long = [json, { ...json, "transfer-encoding": "chunked" }].map((headers) => ({
    name: `${longestUpload} spaces ${"transfer-encoding" in headers ? "in chunks" : ""}`,
    headers,
    bytes: longest,
  }));
  const others = Object.entries(patterns).flatMap(([pattern, write]) =>
    sizes.flatMap((size) => {
      const bytes = Buffer.from(write(size));
      const name = `${pattern}, ${size} bytes`;
      if (pattern.endsWith("pairs")) return [{ name, headers: form, bytes }];
      const packed = gzipSync(bytes, { level: 9 });
      return [
        { name, headers: json, bytes },
        { name: `${name} in chunks`, headers: { ...json, "transfer-encoding": "chunked" }, bytes },
        { name: `${name} by gzip`, headers: { ...json, "content-encoding": "gzip" }, bytes: packed },
      ];
    }),
  );
  return [...long, ...others];
}

/** The body that was seen to stop the service: 2 MiB of empty arrays in 2,055 bytes. */
export const seenBody: CostlyBody = {
  name: "690,000 empty arrays by gzip",
  headers: { ...json, "content-encoding": "gzip" },
  bytes: gzipSync(`{"a":[${"[],".repeat(689_999)}[]]}`, { level: 9 }),
};
