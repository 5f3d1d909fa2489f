import { constants, gunzipSync } from "node:zlib";
import { isGzip } from "../contract/files/gunzip.ts";

/** First bytes of heap dumps: HPROF of every JVM, and the portable form of OpenJ9. */
const dumpMagics = ["JAVA PROFILE 1.0.", "\0\u0012portable heap dump"];

/** Compressed bytes searched for a magic, and their unpacked limit: deflate packs 1032 to 1 at best. */
const [headIn, headOut] = [4096, 8 * 1024 * 1024];

/** Whether the first bytes, gzipped or not, are a JVM's heap dump, which is never taken. */
export function isHeapDump(bytes: Uint8Array): boolean {
  const head = isGzip(bytes) ? gunzippedHead(bytes) : bytes;
  const begin = Buffer.from(head.subarray(0, 32)).toString("latin1");
  return dumpMagics.some((magic) => begin.startsWith(magic));
}

function gunzippedHead(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes.subarray(0, headIn), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: headOut,
    });
  } catch {
    return new Uint8Array();
  }
}
