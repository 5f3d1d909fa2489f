import { gzipSync } from "node:zlib";
import type { CostlyBody } from "./costly-bodies.ts";

const json = { "content-type": "application/json" };
const gzip = { ...json, "content-encoding": "gzip" };
const kib = 1024;

const members = (bytes: number, name: (at: number) => string): string =>
  Array.from({ length: Math.floor(bytes / 14) }, (_, at) => `"${name(at)}":1`).join();
const apart = (bytes: number, name: (at: number) => string): string =>
  Array.from({ length: Math.floor(bytes / 16) }, (_, at) => `{"${name(at)}":1}`).join();
const numbered = (at: number): string => `k${100_000 + at}`;
const escaped = (at: number): string => `\\u006b${at}`;
const list = (bytes: number, item: string): string =>
  Array.from({ length: Math.max(1, Math.floor(bytes / (item.length + 1))) }, () => item).join();

/** Text of about that many bytes that is dear to whoever parses it, or checks it by the schema of a route that takes much. */
const patterns: Readonly<Record<string, (bytes: number) => string>> = {
  "names in one object": (bytes) => `{${members(bytes, numbered)}}`,
  "names in many objects": (bytes) => `{"a":[${apart(bytes, numbered)}]}`,
  "escaped names in many objects": (bytes) => `{"a":[${apart(bytes, escaped)}]}`,
  "one name in one object": (bytes) => `{${members(bytes, () => "k")}}`,
  "one name in many objects": (bytes) => `{"a":[${apart(bytes, () => "k")}]}`,
  "different short texts": (bytes) => `{"a":[${members(bytes, numbered).replaceAll(":1", "")}]}`,
  "wrong samples": (bytes) => `{"samples":[${list(bytes, `{"regions":[${list(120, "1")}]}`)}]}`,
  "samples, the last one wrong": (bytes) =>
    `{"samples":[${list(Math.min(bytes, 110_000), '{"sampled_at":"2026-11-20T06:00:00.000Z","tps":20,"mspt":14,"player_count":4,"entity_count":9}')},1]}`,
  "wrong tests": (bytes) => `{"tests":[${list(bytes, "{}")}]}`,
  "wrong single tests": (bytes) => `[${list(bytes, "{}")}]`,
  "wrong events": (bytes) => `{"events":[${list(bytes, '{"metadata":{"a":[]}}')}]}`,
  "wrong software": (bytes) => `{"plugins":[${list(bytes, '{"name":1}')}]}`,
  "wrong regions": (bytes) =>
    `{"sent_at":"2026-11-20T07:33:48.000Z","plugin_version":"1","sample":{"regions":[${list(bytes, "{}")}]}}`,
  "calls of the connector": (bytes) => `[${list(bytes, '{"jsonrpc":"2.0","id":1,"method":"x"}')}]`,
};

/** Bytes: what is parsed where calls are answered, what the API takes, and the longest batch. */
const sizes = [60 * kib, 250 * kib, 2000 * kib];

/** Every pattern in every size, as it is and by gzip. */
export const refusedBodies = (): CostlyBody[] =>
  Object.entries(patterns).flatMap(([pattern, write]) =>
    sizes.flatMap((size) => {
      const bytes = Buffer.from(write(size));
      const name = `${pattern}, ${bytes.length} bytes`;
      return [
        { name, headers: json, bytes },
        { name: `${name} by gzip`, headers: gzip, bytes: gzipSync(bytes) },
      ];
    }),
  );

/** The body with which one server of a free account made everybody wait: 150,000 names of members. */
export const seenNames: CostlyBody = {
  name: "150,000 names by gzip",
  headers: gzip,
  bytes: gzipSync(`{${Array.from({ length: 150_000 }, (_, at) => `"k${at}":1`).join()}}`),
};
