import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unzip = promisify(gunzip);

/** The JSON of a reading that this program packed; null when its bytes are damaged. Decompressed off the thread. */
export async function unpackedFrom<T>(bytes: Uint8Array | null): Promise<T | null> {
  if (bytes === null) return null;
  try {
    return JSON.parse((await unzip(bytes)).toString()) as T;
  } catch {
    return null;
  }
}
