import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unzip = promisify(gunzip);

/** Unzips (outside the thread) and parses JSON that this program packed; null if the bytes are damaged. */
export async function unpackedFrom<T>(bytes: Uint8Array | null): Promise<T | null> {
  if (bytes === null) return null;
  try {
    return JSON.parse((await unzip(bytes)).toString()) as T;
  } catch {
    return null;
  }
}
