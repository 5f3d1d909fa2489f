import type { z } from "zod";
import type { HeapSummary } from "../memory-report/document.ts";
import { ClassTable } from "./class-table.ts";
import { ImportError } from "./import-error.ts";
import { keptTextOrNull } from "./kept-text.ts";
import { WireReader } from "./protobuf.ts";
import {
  nothingKnown,
  readHeapMax,
  readPlatform,
  readSource,
  readSystem,
  serverType,
  serverVersion,
  timestampOrNull,
  type SparkServer,
} from "./spark-metadata.ts";
import { pluginNames } from "./spark-owner.ts";

const maxPlugins = 2000;

/**
 * Converts a decompressed heap summary of spark to an upload; `digest` is the SHA-256 of `bytes`,
 * hexadecimal. Sizes are shallow; the file does not say whether garbage counts. Its creator and the server's
 * configuration are never read. Throws ImportError.
 */
export function heapSummaryOfSpark(bytes: Uint8Array, digest: string): z.input<typeof HeapSummary> {
  const server = nothingKnown();
  const table = new ClassTable();
  let generatedMs = 0;
  const file = new WireReader(bytes);
  while (file.next()) {
    if (file.field === 1) generatedMs = readMetadata(file.message(), server);
    else if (file.field === 2) readEntry(file.message(), table);
    else file.skip();
  }
  const classes = table.classes();
  if (classes.length === 0)
    throw new ImportError(
      "This is not a heap summary of spark. Send the .sparkheap file that spark saved, or the file that it uploaded.",
    );
  return {
    schema: "service-heap-summary/1",
    local_id: `spark-${digest}`,
    created_at: timestampOrNull(generatedMs),
    platform: {
      server_type: serverType(server),
      server_version: serverVersion(server),
      java_version: keptTextOrNull(server.javaVersion, 120),
      plugins: pluginNames(server)?.slice(0, maxPlugins) ?? null,
    },
    mode: null,
    heap_used_bytes: table.bytes,
    heap_max_bytes: server.heapMaxBytes > 0 && server.heapMaxBytes <= 1e15 ? server.heapMaxBytes : null,
    classes_complete: !table.isCut,
    classes,
  };
}

/** HeapMetadata: 2 platform, 3 statistics, 4 system, 5 time, 7 sources. Answers the time, ms. */
function readMetadata(message: WireReader, server: SparkServer): number {
  let generatedMs = 0;
  while (message.next()) {
    if (message.field === 2) readPlatform(message.message(), server);
    else if (message.field === 3) readHeapMax(message.message(), server);
    else if (message.field === 4) readSystem(message.message(), server);
    else if (message.field === 5) generatedMs = message.int64();
    else if (message.field === 7) readSource(message.message(), server);
    else message.skip();
  }
  return generatedMs;
}

/** HeapEntry: 2 objects, 3 their bytes, 4 class. */
function readEntry(message: WireReader, table: ClassTable): void {
  let [objects, bytes, className] = [0, 0, ""];
  while (message.next()) {
    if (message.field === 2) objects = message.int32();
    else if (message.field === 3) bytes = message.int64();
    else if (message.field === 4) className = message.text();
    else message.skip();
  }
  if (className === "") throw new ImportError("The heap summary counts objects of a class without a name.");
  table.add(className, objects, bytes);
}
