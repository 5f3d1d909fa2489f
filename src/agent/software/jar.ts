import type { FileHandle } from "node:fs/promises";
import { callbackify, promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from "yauzl";
import { openPlain } from "../files/plain-file.ts";

/** The largest descriptor, packed or unpacked, bytes; real ones have a few KB. */
const largestEntry = 1024 * 1024;
/** Later entries are ignored: build tools write descriptors early, and the largest mods have more entries. */
const mostEntries = 5000;
/** The most that is read of one jar, bytes: 5,000 entries with long names need 2 MiB, a descriptor 1 MiB. */
const mostRead = 8 * 1024 * 1024;
/** Bytes per read: an entry of the list takes about a hundred, and each read from disk is slow. */
const windowBytes = 256 * 1024;

/** The file could not be opened or read; it may be readable another time. */
export class UnreadFile extends Error {}

/** Access to the wanted entries only. */
export interface Jar {
  has(name: string): boolean;
  /** Unpacked. Rejects if the jar is broken or exceeds a limit. */
  read(name: string): Promise<Buffer>;
}

/**
 * Opens a jar while `use` runs. Rejects with UnreadFile if the file cannot be read; also if it is no zip, or
 * has a wanted entry twice, because programs differ in which one they take.
 */
export async function withJar<T>(
  path: string,
  wanted: ReadonlySet<string>,
  use: (jar: Jar) => Promise<T>,
): Promise<T> {
  const file = await openPlain(path).catch((cause: unknown) => {
    throw new UnreadFile("cannot be opened", { cause });
  });
  if (file === null) throw new Error("no plain file");
  const reader = new WindowReader(file.handle, file.size);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, file.size, {
      autoClose: false,
      decodeStrings: false,
    });
    const found = await wantedEntries(zip, wanted);
    return await use({
      has: (name) => found.has(name),
      read: async (name) => {
        const entry = found.get(name);
        if (entry === undefined) throw new Error("no such entry");
        return unpacked(reader, zip, entry);
      },
    });
  } catch (error) {
    throw reader.failure ?? error;
  } finally {
    await file.handle.close();
  }
}

async function wantedEntries(zip: ZipFile, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  const longest = Math.max(...[...wanted].map((name) => name.length));
  let seen = 0;
  for await (const entry of zip.eachEntry()) {
    seen += 1;
    if (entry.fileNameRaw.length <= longest) {
      const name = entry.fileNameRaw.toString("latin1");
      if (found.has(name)) throw new Error("an entry twice");
      if (wanted.has(name)) found.set(name, entry);
    }
    if (seen === mostEntries) break;
  }
  return found;
}

const inflated = promisify(inflateRaw);

async function unpacked(reader: WindowReader, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const { compressedSize, uncompressedSize, compressionMethod } = entry;
  if (Math.max(compressedSize, uncompressedSize) > largestEntry) throw new Error("an entry too large");
  if (!entry.canDecodeFileData()) throw new Error("an entry in another form");
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = await reader.bytes(fileDataStart, compressedSize);
  // zlib stops with an error as soon as more comes out than the entry declares.
  const bytes =
    compressionMethod === 0 ? packed : await inflated(packed, { maxOutputLength: uncompressedSize + 1 });
  if (bytes.length !== uncompressedSize || crc32(bytes) !== entry.crc32) throw new Error("a broken entry");
  return bytes;
}

/** Reads large windows, so that a list of thousands of entries takes a few reads; never outside the file. */
class WindowReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #size: number;
  #window = Buffer.alloc(0);
  #from = 0;
  #left = mostRead;
  failure: UnreadFile | null = null;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (this.#holds(position, length)) {
      this.#copy(buffer, offset, length, position);
      callback(null);
      return;
    }
    callbackify(async () => {
      await this.#move(position, length);
      this.#copy(buffer, offset, length, position);
    })(callback);
  }

  async bytes(position: number, length: number): Promise<Buffer> {
    if (!this.#holds(position, length)) await this.#move(position, length);
    return Buffer.from(this.#window.subarray(position - this.#from, position - this.#from + length));
  }

  #failed(why: string, cause?: unknown): UnreadFile {
    this.failure = new UnreadFile(why, { cause });
    return this.failure;
  }

  #holds(position: number, length: number): boolean {
    return position >= this.#from && position + length <= this.#from + this.#window.length;
  }

  #copy(buffer: Buffer, offset: number, length: number, position: number): void {
    this.#window.copy(buffer, offset, position - this.#from, position - this.#from + length);
  }

  async #move(position: number, length: number): Promise<void> {
    const isInside = Number.isSafeInteger(position) && position >= 0 && position + length <= this.#size;
    if (!isInside) throw new Error("a place outside the file");
    const wanted = Math.min(Math.max(length, windowBytes), this.#size - position);
    this.#left -= wanted;
    if (this.#left < 0) throw new Error("too much to read");
    const window = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await this.#file.read(window, 0, wanted, position).catch((cause: unknown) => {
      throw this.#failed("cannot be read", cause);
    });
    if (bytesRead < length) throw this.#failed("the file became shorter");
    this.#window = window.subarray(0, bytesRead);
    this.#from = position;
  }
}
