import type { Instant } from "../../core/time.ts";
import { oneLine } from "../one-line.ts";
import { Resting } from "./retry-bound.ts";
import type { Reading, Source } from "./source.ts";

/** The time limit of one reading, ms: well within the 30 s between two readings. */
export const readingMs = 8000;

/** Reads all sources at once. A source that fails or is late loses only its own reading. */
export class SourceReader {
  readonly #sources: readonly Source[];
  readonly #tell: (line: string) => void;
  readonly #limitMs: number;
  readonly #failing = new Set<string>();
  readonly #resting = new Set<string>();
  readonly #busy = new Set<Source>();

  constructor(sources: readonly Source[], tell: (line: string) => void, limitMs: number = readingMs) {
    this.#sources = sources;
    this.#tell = tell;
    this.#limitMs = limitMs;
  }

  /** In the order of the sources, without those that failed. */
  async read(now: Instant): Promise<Reading[]> {
    const readings = await Promise.all(this.#sources.map((source) => this.#readOne(source, now)));
    return readings.flatMap((reading) => reading ?? []);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#sources.map((source) => source.close()));
  }

  async #readOne(source: Source, now: Instant): Promise<Reading | null> {
    if (this.#busy.has(source)) return null;
    this.#busy.add(source);
    const { name } = source;
    const ending = new AbortController();
    const reading = source.read(now, ending.signal).finally(() => this.#busy.delete(source));
    try {
      const read = await withinLimit(reading, this.#limitMs, ending);
      if (this.#failing.delete(name)) this.#tell(`${name}: can be read again.`);
      this.#resting.delete(name);
      return read;
    } catch (error) {
      if (error instanceof Resting) this.#tellRest(name);
      if (!this.#failing.has(name)) this.#tell(`${name}: cannot be read (${oneLine(error)}).`);
      this.#failing.add(name);
      return null;
    }
  }

  /** A failure that is known at once, such as a refused password, needs no second line. */
  #tellRest(name: string): void {
    if (this.#failing.has(name) && !this.#resting.has(name))
      this.#tell(`${name}: fails in the same way again and again, so it is tried every five minutes.`);
    this.#resting.add(name);
  }
}

async function withinLimit<T>(reading: Promise<T>, limitMs: number, ending: AbortController): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${limitMs / 1000} s`));
      ending.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    reading.catch(() => {});
  }
}
