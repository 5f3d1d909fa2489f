import { toTimestamp } from "../time.ts";
import { keptTextOrNull } from "./kept-text.ts";
import { ImportError } from "./import-error.ts";
import type { WireReader } from "./protobuf.ts";

/** A plugin, mod or part of the server, as spark lists them. */
export interface SparkSource {
  readonly name: string;
  /** Comes with the server or is the mod loader, by spark's own mark. */
  readonly builtin: boolean;
}

/** What spark tells of a server beside its measurements; "" and 0 for what it leaves out. */
export interface SparkServer {
  platformName: string;
  platformVersion: string;
  brand: string;
  gameVersion: string;
  javaVersion: string;
  javaVendor: string;
  vmName: string;
  processors: number;
  heapMaxBytes: number;
  /** By id. */
  readonly sources: Map<string, SparkSource>;
}

/** Sources one file may list. */
const maxSources = 100_000;

export const nothingKnown = (): SparkServer => ({
  platformName: "",
  platformVersion: "",
  brand: "",
  gameVersion: "",
  javaVersion: "",
  javaVendor: "",
  vmName: "",
  processors: 0,
  heapMaxBytes: 0,
  sources: new Map(),
});

/** `neoforge`, `paper`: what the server calls itself before what it stands on. */
export const serverType = ({ brand, platformName }: SparkServer): string | null =>
  keptTextOrNull((brand || platformName).toLowerCase(), 64);

/** The game's version and the server's build of it, `1.21.1-21.1.233`; null where neither is given. */
export function serverVersion({ gameVersion, platformVersion }: SparkServer): string | null {
  const build = platformVersion.split(" ", 1)[0] ?? "";
  const parts = build.startsWith(gameVersion) ? [build] : [gameVersion, build];
  return keptTextOrNull(parts.filter((part) => part !== "").join("-"), 120);
}

const lastMs = Date.UTC(9999, 11, 31);

/** Milliseconds since the epoch as a timestamp; null for 0, which means unknown, and for what is no time. */
export const timestampOrNull = (ms: number): string | null =>
  ms > 0 && ms <= lastMs ? toTimestamp(ms) : null;

/** PlatformMetadata: 2 name, 3 version, 4 game version, 8 brand. */
export function readPlatform(message: WireReader, server: SparkServer): void {
  while (message.next()) {
    if (message.field === 2) server.platformName = message.text();
    else if (message.field === 3) server.platformVersion = message.text();
    else if (message.field === 4) server.gameVersion = message.text();
    else if (message.field === 8) server.brand = message.text();
    else message.skip();
  }
}

/** PlatformStatistics: 1 memory, in it 1 heap, in it 4 the most it may grow to, bytes; -1 where there is no limit. */
export function readHeapMax(message: WireReader, server: SparkServer): void {
  message.each(1, (memory) =>
    memory.each(1, (heap) => {
      while (heap.next()) {
        if (heap.field === 4) server.heapMaxBytes = heap.int64();
        else heap.skip();
      }
    }),
  );
}

/** SystemStatistics: 1 CPU with 1 threads; 6 Java with 1 vendor and 2 version (4 is its arguments); 9 JVM with 1 name. */
export function readSystem(message: WireReader, server: SparkServer): void {
  while (message.next()) {
    if (message.field === 1) readCpu(message.message(), server);
    else if (message.field === 6) readJava(message.message(), server);
    else if (message.field === 9) readJvm(message.message(), server);
    else message.skip();
  }
}

function readCpu(message: WireReader, server: SparkServer): void {
  while (message.next()) {
    if (message.field === 1) server.processors = message.int32();
    else message.skip();
  }
}

function readJava(message: WireReader, server: SparkServer): void {
  while (message.next()) {
    if (message.field === 1) server.javaVendor = message.text();
    else if (message.field === 2) server.javaVersion = message.text();
    else message.skip();
  }
}

function readJvm(message: WireReader, server: SparkServer): void {
  while (message.next()) {
    if (message.field === 1) server.vmName = message.text();
    else message.skip();
  }
}

/** One entry of the map of sources: 1 id, 2 a source with 1 name, 5 whether it is built in. */
export function readSource(entry: WireReader, server: SparkServer): void {
  let id = "";
  let name = "";
  let builtin = false;
  while (entry.next()) {
    if (entry.field === 1) id = entry.text();
    else if (entry.field === 2) {
      const source = entry.message();
      while (source.next()) {
        if (source.field === 1) name = source.text();
        else if (source.field === 5) builtin = source.bool();
        else source.skip();
      }
    } else entry.skip();
  }
  if (id === "") return;
  server.sources.set(id, { name, builtin });
  if (server.sources.size > maxSources)
    throw new ImportError(`The file lists more than ${maxSources} plugins and mods, and cannot be read.`);
}
