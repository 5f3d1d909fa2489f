import { gunzipSync } from "node:zlib";
import { Refusal } from "../../core/errors.ts";
import { mostInflated } from "../limits/body-limits.ts";
import { failureCode } from "../../core/failure-code.ts";

function tooLong(limit: number): Refusal {
  const words = `The decompressed body is longer than ${limit} bytes. Send less at once.`;
  const refusal = new Refusal("too_large", words, { limit });
  refusal.bodyBytes = limit;
  return refusal;
}

/** Throws Refusal: `too_large` for more than `limit` bytes, `invalid_body` for bytes that are not gzip. */
export function gunzip(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isTooLong = failureCode(error) === "ERR_BUFFER_TOO_LARGE";
    throw isTooLong
      ? tooLong(limit)
      : new Refusal(
          "invalid_body",
          "The body is not valid gzip, although its Content-Encoding says so. Send it again.",
        );
  }
}

/** As `gunzip`, also `too_large` for JSON that grows more than honest JSON does. */
export function gunzipJson(bytes: Uint8Array, limit: number): Uint8Array {
  return gunzip(bytes, mostInflated(bytes.length, limit));
}

/** Null if the result is longer than `limit` bytes. */
export function gunzipShort(bytes: Uint8Array, limit: number): Uint8Array | null {
  if (bytes.length > limit) return null;
  try {
    return gunzip(bytes, limit);
  } catch (error) {
    if (error instanceof Refusal && error.code === "too_large") return null;
    throw error;
  }
}

/** The limit of `gunzipJson`, for a file that turned out to be JSON after it was decompressed. */
export function refuseExpansion(sent: Uint8Array, bytes: Uint8Array, limit: number): void {
  const most = mostInflated(sent.length, limit);
  if (bytes.length > most) throw tooLong(most);
}

/** Checks the magic number of gzip (RFC 1952, 2.3.1). */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
