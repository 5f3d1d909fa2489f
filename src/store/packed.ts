import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** Of a profile of 14 MB: 6.3 times smaller in 0.17 s; one level up 6.5 times in 0.27 s. */
const level = 5;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A document as it is stored: JSON, gzip. The work is done off the thread. */
export const pack = (document: unknown): Promise<Uint8Array> => zip(JSON.stringify(document), { level });

/** What was packed, as `read` takes it; null when the bytes are damaged, or hold what it does not take. */
export async function unpack<T>(bytes: Uint8Array, read: (value: unknown) => T | null): Promise<T | null> {
  const value = await unzip(bytes).then(
    (json) => parsed(json.toString()),
    () => null,
  );
  return read(value);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
