import { gunzipSync, gzipSync } from "node:zlib";

/** Of a profile of 14 MB: 6.3 times smaller in 0.17 s; one level up 6.5 times in 0.27 s. */
const level = 5;

/** A value as it is stored: JSON, gzip. */
export const pack = (value: unknown): Uint8Array => gzipSync(JSON.stringify(value), { level });

/** What was packed, as `read` takes it; null when the bytes are damaged, or hold what it does not take. */
export function unpack<T>(bytes: Uint8Array, read: (value: unknown) => T | null): T | null {
  let value: unknown;
  try {
    value = JSON.parse(gunzipSync(bytes).toString());
  } catch {
    return null;
  }
  return read(value);
}
