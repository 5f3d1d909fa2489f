import { toTimestamp } from "../time.ts";
import { keptTextOrNull } from "./kept-text.ts";
import { ImportError } from "./import-error.ts";
import type { WireReader } from "./protobuf.ts";

export interface SparkSource {
  readonly name: string;
  /** Spark marks it as part of the server or its mod loader. */
  readonly builtin: boolean;
}

/** "" and 0 stand for values that the file leaves out. */
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
  readonly sources: Map<string, SparkSource>;
}

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

/** `neoforge`, `paper`: the brand, else the platform. */
export const serverType = ({ brand, platformName }: SparkServer): string | null =>
  keptTextOrNull((brand || platformName).toLowerCase(), 64);

/** The game's version and the server's build, `1.21.1-21.1.233`; null if the file has neither. */
export function serverVersion({ gameVersion, platformVersion }: SparkServer): string | null {
  const build = platformVersion.split(" ", 1)[0] ?? "";
  const parts = build.startsWith(gameVersion) ? [build] : [gameVersion, build];
  return keptTextOrNull(parts.filter((part) => part !== "").join("-"), 120);
}

const lastMs = Date.UTC(9999, 11, 31);

/** Null for 0, which means unknown, and for a time out of range. */
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

/** PlatformStatistics: 1 memory, in it 1 heap, in it 4 the largest size, bytes; -1 without a limit. */
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

/** SystemStatistics: 1 CPU, in it 1 threads; 6 Java, in it 1 vendor, 2 version; 9 JVM, in it 1 name. */
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

/** An entry of the map of sources: 1 id, 2 a source with 1 name, 5 built in. */
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
