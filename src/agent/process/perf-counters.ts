/** Counters of a HotSpot JVM by name, as `jstat` shows them. */
export type PerfCounters = ReadonlyMap<string, number | string>;

/** Version 2 of the file that a JVM keeps for `jstat`: a head of 32 bytes, then entries of any length. */
const magic = 0xca_fe_c0_c0;
const headBytes = 32;
const entryHeadBytes = 20;
const littleEndian = 1;
const majorVersion = 2;

/** More entries than any JVM has. */
const mostEntries = 10_000;

/** Type codes of the JVM: a long, and bytes of text. */
const [longType, byteType] = ["J".charCodeAt(0), "B".charCodeAt(0)];

/** Reads `hsperfdata_USER/PID` of a HotSpot JVM. Null for other bytes, versions or an unfinished file. */
export function parsePerfFile(bytes: Uint8Array): PerfCounters | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || view.getUint32(0) !== magic) return null;
  const isLittle = view.getUint8(4) === littleEndian;
  const isReady = view.getUint8(7) === 1;
  if (view.getUint8(5) !== majorVersion || !isReady) return null;
  const counters = new Map<string, number | string>();
  let at = view.getInt32(24, isLittle);
  const entries = Math.min(view.getInt32(28, isLittle), mostEntries);
  for (let index = 0; index < entries; index += 1) {
    if (at < headBytes || at + entryHeadBytes > bytes.length) break;
    const length = view.getInt32(at, isLittle);
    if (length < entryHeadBytes || at + length > bytes.length) break;
    const entry = entryIn(bytes.subarray(at, at + length), isLittle);
    if (entry !== null) counters.set(entry.name, entry.value);
    at += length;
  }
  return counters;
}

function entryIn(
  bytes: Uint8Array,
  isLittle: boolean,
): { readonly name: string; readonly value: number | string } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nameAt = view.getInt32(4, isLittle);
  const elements = view.getInt32(8, isLittle);
  const type = view.getUint8(12);
  const dataAt = view.getInt32(16, isLittle);
  if (nameAt < 0 || nameAt >= bytes.length || dataAt < 0 || dataAt > bytes.length) return null;
  const name = textAt(bytes.subarray(nameAt));
  if (type === longType && elements === 0 && dataAt + 8 <= bytes.length) {
    return { name, value: Number(view.getBigInt64(dataAt, isLittle)) };
  }
  if (type !== byteType || elements < 0) return null;
  return { name, value: textAt(bytes.subarray(dataAt, dataAt + elements)) };
}

function textAt(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString("utf8");
}
