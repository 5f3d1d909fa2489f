import { concat, double, int, message, text } from "./protobuf-writer.ts";

/** Statistics of a window as spark writes them; what is left out is not in the file. */
export interface SparkWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly tps?: number;
  readonly medianMs?: number;
  readonly longestMs?: number;
  readonly cpuProcess?: number;
  readonly cpuSystem?: number;
  readonly players?: number;
  readonly entities?: number;
  readonly tileEntities?: number;
  readonly chunks?: number;
}

const doubles = { cpuProcess: 2, cpuSystem: 3, tps: 4, medianMs: 5, longestMs: 6 } as const;
const counts = { players: 7, entities: 8, tileEntities: 9, chunks: 10, startMs: 11, endMs: 12 } as const;

const given = <Name extends keyof SparkWindow>(
  fields: Readonly<Record<Name, number>>,
  window: SparkWindow,
  write: (field: number, value: number) => Uint8Array,
): Uint8Array[] =>
  // Safe: the keys of `fields` are its names.
  (Object.keys(fields) as Name[]).flatMap((name) => {
    const value = window[name];
    return value === undefined ? [] : [write(fields[name], value)];
  });

/** Fields of the file behind its threads. */
export const windowFields = (windows: readonly SparkWindow[]): Uint8Array[] =>
  windows.map((window, index) =>
    message(
      7,
      int(1, 29_698_000 + index),
      message(2, concat([...given(doubles, window, double), ...given(counts, window, int)])),
    ),
  );

export interface SparkEnd {
  readonly p95Ms?: number;
  readonly heapUsed?: number;
  readonly heapMax?: number;
  readonly worlds?: Readonly<Record<string, number>>;
}

/** The platform's statistics when the recording ended: a field of the metadata. */
export const endField = ({ p95Ms = 0, heapUsed = 0, heapMax = 0, worlds = {} }: SparkEnd): Uint8Array =>
  message(
    8,
    message(1, message(1, int(1, heapUsed), int(4, heapMax))),
    message(5, message(1, double(5, p95Ms))),
    message(
      8,
      concat(Object.entries(worlds).map(([name, entities]) => message(3, text(1, name), int(2, entities)))),
    ),
  );
