import {
  concat,
  double,
  entry,
  int,
  joined,
  message,
  packedDoubles,
  packedInts,
  text,
} from "./protobuf-writer.ts";

/** One call as a test writes it; what it called stands below it. */
export interface Call {
  readonly method: string;
  readonly ms: number | readonly number[];
  readonly calls?: readonly Call[];
}

export interface Thread {
  readonly name?: string;
  readonly ms?: readonly number[];
  readonly calls?: readonly Call[];
  /** Instead of `calls`: the fields as they stand. */
  readonly raw?: Uint8Array;
}

export interface SparkFile {
  readonly intervalUs?: number;
  readonly startMs?: number;
  readonly endMs?: number;
  /** Further fields of the metadata. */
  readonly metadata?: readonly Uint8Array[];
  readonly threads?: readonly Thread[];
  /** Class to source. */
  readonly classSources?: Readonly<Record<string, string>>;
  /** Further fields of the file. */
  readonly more?: readonly Uint8Array[];
  /** Lists written one by one instead of packed. */
  readonly unpacked?: boolean;
}

const one = (ms: Call["ms"]): readonly number[] => (typeof ms === "number" ? [ms] : ms);

/** A call as it stands in a thread: class, method, times and the places of what it called. */
export function callNode(
  method: string,
  ms: readonly number[],
  refs: readonly number[],
  unpacked = false,
): Uint8Array {
  const dot = method.lastIndexOf(".");
  const lists = unpacked
    ? [...ms.map((value) => double(8, value)), ...refs.map((ref) => int(9, ref))]
    : [packedDoubles(8, ms), packedInts(9, refs)];
  return message(3, text(3, method.slice(0, Math.max(dot, 0))), text(4, method.slice(dot + 1)), ...lists);
}

/** Fields of a thread, its calls after those they made. */
function threadFields(
  { name = "Server thread", ms, calls = [], raw }: Thread,
  unpacked: boolean,
): Uint8Array {
  if (raw) return joined(text(1, name), raw);
  const nodes: Uint8Array[] = [];
  const add = (call: Call): number => {
    const refs = (call.calls ?? []).map(add);
    return nodes.push(callNode(call.method, one(call.ms), refs, unpacked)) - 1;
  };
  const roots = calls.map(add);
  const windows = ms ?? [calls.flatMap((call) => one(call.ms)).reduce((sum, value) => sum + value, 0)];
  const lists = unpacked
    ? [...windows.map((value) => double(4, value)), ...roots.map((ref) => int(5, ref))]
    : [packedDoubles(4, windows), packedInts(5, roots)];
  return joined(text(1, name), concat(nodes), ...lists);
}

/** A profile as spark's exporter writes it, of one thread that ticks unless said otherwise. */
export function sparkFile(file: SparkFile = {}): Uint8Array {
  const { intervalUs = 4000, startMs = 1_780_000_000_000, endMs = startMs + 60_000 } = file;
  const { threads = [{ calls: [{ method: "a.A.run", ms: 40 }] }], unpacked = false } = file;
  const times = [int(2, startMs), int(3, intervalUs), int(11, endMs)];
  return joined(
    message(1, ...times, ...(file.metadata ?? [])),
    ...threads.map((thread) => message(2, threadFields(thread, unpacked))),
    ...Object.entries(file.classSources ?? {}).map(([name, source]) => entry(3, name, text(2, source))),
    concat(file.more ?? []),
  );
}

/** A source of the metadata: a plugin or mod, or a part of the server. */
export const source = (id: string, name: string, builtin = false): Uint8Array =>
  message(13, text(1, id), message(2, text(1, name), ...(builtin ? [int(5, 1)] : [])));

/** A thread whose calls each make one other, so many levels deep; every level takes 4 ms by itself. */
export function deepThread(levels: number): Thread {
  const nodes = Array.from({ length: levels }, (_, index) =>
    callNode(`d.Deep.level${index % 1000}`, [4 * (index + 1)], index === 0 ? [] : [index - 1]),
  );
  return { raw: joined(concat(nodes), packedDoubles(4, [4 * levels]), packedInts(5, [levels - 1])) };
}
