import { gunzipSync } from "node:zlib";
import { Refusal } from "../core/errors.ts";

/** Refuses a body that is longer than its route takes. */
export const tooLong = (limit: number): Refusal =>
  new Refusal("too_large", `The body is longer than ${limit} bytes once decompressed.`, { limit });

/** Decompresses at most `limit` bytes: `too_large` for more, `invalid_body` for what is not gzip. */
export function gunzip(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isTooLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLong ? tooLong(limit) : new Refusal("invalid_body", "The body is not gzip.");
  }
}

/** Whether bytes say that they are gzip (RFC 1952, 2.3.1). */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
