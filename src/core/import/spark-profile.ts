import type { z } from "zod";
import type { ProfileDocument, ProfileFileTrigger } from "../profile/document.ts";
import { ImportError } from "./import-error.ts";
import { keptTextOrNull } from "./kept-text.ts";
import { WireReader } from "./protobuf.ts";
import {
  nothingKnown,
  readPlatform,
  readSource,
  readSystem,
  serverType,
  serverVersion,
  timestampOrNull,
  type SparkServer,
} from "./spark-metadata.ts";
import { measuredBySpark } from "./spark-measured.ts";
import { sparkFrames, pluginNames } from "./spark-owner.ts";
import { SparkCallTree, checkedMs } from "./spark-tree.ts";

type Imported = z.input<typeof ProfileDocument>;

/** Limit of a document for samples, and for ms of one tick. */
const most = 1e12;
const maxClassSources = 400_000;

interface Metadata {
  readonly server: SparkServer;
  startMs: number;
  endMs: number;
  /** µs. */
  intervalUs: number;
  /** 0 execution, 1 allocation. */
  mode: number;
  /** 0 the sampler in Java, 1 async-profiler. */
  engine: number;
  aggregator: Aggregator;
}

interface Aggregator {
  /** 0 every tick, 1 only ticks above a threshold. */
  type: number;
  threshold: number;
  includedTicks: number;
}

/**
 * Converts a decompressed CPU profile of spark to an upload, with the calls of the tick threads in samples;
 * `digest` is the SHA-256 of `bytes`, hexadecimal. Its creator, the comment, the server's configuration and
 * JVM arguments are never read. Throws ImportError.
 */
export function profileOfSpark(
  bytes: Uint8Array,
  digest: string,
  trigger: ProfileFileTrigger = "import",
): Imported {
  const metadata = readMetadata(bytes);
  checkKind(metadata);
  const { server, startMs, endMs, aggregator } = metadata;
  const intervalMs = metadata.intervalUs / 1000;
  const { tree, otherMs } = readThreads(bytes, intervalMs);
  const total = tree.samples + Math.round(otherMs / intervalMs);
  if (total > most)
    throw new ImportError("The profile has an impossible number of samples. Send the file again, unchanged.");
  const plugins = pluginNames(server);
  const slowTicks = aggregator.includedTicks >= 0 ? aggregator.includedTicks : null;
  const slowOnly = aggregator.type === 1 && aggregator.threshold > 0;
  return {
    schema: "service-profile/1",
    local_id: `spark-${digest}`,
    engine: metadata.engine === 1 ? "async" : "java",
    trigger,
    created_at: timestampOrNull(endMs) ?? timestampOrNull(startMs),
    capture: {
      window_start: timestampOrNull(startMs),
      window_end: timestampOrNull(endMs),
      window_seconds: windowSeconds(startMs, endMs),
    },
    lag: slowOnly ? { slow_ticks: slowTicks, longest_tick_ms: longestTickMs(bytes) } : null,
    platform: {
      server_type: serverType(server),
      server_version: serverVersion(server),
      plugin_count: plugins?.length ?? null,
    },
    jvm: {
      java_version: keptTextOrNull(server.javaVersion, 120),
      java_vendor: keptTextOrNull(server.javaVendor, 120),
      vm_name: keptTextOrNull(server.vmName, 120),
      available_processors: processors(server),
    },
    samples: {
      tick: tree.samples,
      total,
      distinct_stacks: tree.nodes.filter(({ samples }) => samples > 0).length,
    },
    measured: measuredBySpark(bytes),
    warnings: slowOnly ? [{ code: "only-slow-ticks", params: { ticks: slowTicks } }] : [],
    frames: sparkFrames(tree.methods, readClassSources(bytes), server),
    nodes: tree.nodes,
  };
}

const windowSeconds = (startMs: number, endMs: number): number | null =>
  timestampOrNull(startMs) !== null && timestampOrNull(endMs) !== null && endMs >= startMs
    ? (endMs - startMs) / 1000
    : null;

const processors = ({ processors }: SparkServer): number | null =>
  processors >= 1 && processors <= 100_000 ? processors : null;

function checkKind({ intervalUs, mode, server }: Metadata): void {
  if (mode === 1)
    throw new ImportError(
      "This profile has samples of allocations, which are bytes, not time. Send a profile that was recorded without --alloc.",
    );
  if (mode !== 0) throw new ImportError("This profile has an unknown mode. Send a CPU profile.");
  if (intervalUs > 0) return;
  const what =
    server.platformName === "" ? "This is not a profile of spark" : "The profile has no sampling interval";
  throw new ImportError(`${what}. Send the .sparkprofile file that spark saved, or what it uploaded.`);
}

/** SamplerData: 1 metadata. */
function readMetadata(bytes: Uint8Array): Metadata {
  const metadata: Metadata = {
    server: nothingKnown(),
    startMs: 0,
    endMs: 0,
    intervalUs: 0,
    mode: 0,
    engine: 0,
    aggregator: { type: 0, threshold: 0, includedTicks: 0 },
  };
  new WireReader(bytes).each(1, (message) => readSamplerMetadata(message, metadata));
  return metadata;
}

/**
 * SamplerMetadata: 2 start, 3 interval, 5 aggregator, 7 platform, 9 system, 11 end, 13 sources, 15 mode, 16
 * engine. Not read: 1 creator, 6 comment, 10 configurations, 14 additions of the platform.
 */
function readSamplerMetadata(message: WireReader, metadata: Metadata): void {
  while (message.next()) {
    if (message.field === 2) metadata.startMs = message.int64();
    else if (message.field === 3) metadata.intervalUs = message.int32();
    else if (message.field === 5) readAggregator(message.message(), metadata.aggregator);
    else if (message.field === 7) readPlatform(message.message(), metadata.server);
    else if (message.field === 9) readSystem(message.message(), metadata.server);
    else if (message.field === 11) metadata.endMs = message.int64();
    else if (message.field === 13) readSource(message.message(), metadata.server);
    else if (message.field === 15) metadata.mode = message.int32();
    else if (message.field === 16) metadata.engine = message.int32();
    else message.skip();
  }
}

/** DataAggregator: 1 type, 3 threshold, 4 included ticks. */
function readAggregator(message: WireReader, aggregator: Aggregator): void {
  while (message.next()) {
    if (message.field === 1) aggregator.type = message.int32();
    else if (message.field === 3) aggregator.threshold = message.int64();
    else if (message.field === 4) aggregator.includedTicks = message.int32();
    else message.skip();
  }
}

/** The main thread of the game, and Folia's region threads, alone or as a pool. */
const tickThread = /^(?:Server thread|(?:Folia )?Region Scheduler Thread)(?: ?#\d+)?(?: \(x\d+\))?$/i;

/** SamplerData: 2 threads. Of threads that do not tick only the time is read. */
function readThreads(bytes: Uint8Array, intervalMs: number): { tree: SparkCallTree; otherMs: number } {
  const tree = new SparkCallTree(intervalMs);
  let [ticking, otherMs] = [0, 0];
  new WireReader(bytes).each(2, (thread) => {
    const { name, ms } = nameAndTime(thread.again());
    if (tickThread.test(name)) {
      tree.addThread(thread);
      ticking += 1;
    } else otherMs += ms;
  });
  if (ticking === 0)
    throw new ImportError(
      "The profile has no thread with ticks. Record it without --thread, or with --thread 'Server thread'.",
    );
  return { tree, otherMs };
}

/** ThreadNode: 1 name, 4 times. */
function nameAndTime(thread: WireReader): { name: string; ms: number } {
  let [name, ms] = ["", 0];
  while (thread.next()) {
    if (thread.field === 1) name = thread.text();
    else if (thread.field === 4) thread.doubles((window) => (ms += checkedMs(window)));
    else thread.skip();
  }
  return { name, ms };
}

/** SamplerData: 3 class sources, entries of 1 class and 2 the id of its source. */
function readClassSources(bytes: Uint8Array): Map<string, string> {
  const sources = new Map<string, string>();
  new WireReader(bytes).each(3, (entry) => {
    let [className, source] = ["", ""];
    while (entry.next()) {
      if (entry.field === 1) className = entry.text();
      else if (entry.field === 2) source = entry.text();
      else entry.skip();
    }
    sources.set(className, source);
    if (sources.size > maxClassSources)
      throw new ImportError(`The profile names the owners of more than ${maxClassSources} classes.`);
  });
  return sources;
}

/** SamplerData: 7 windows, each 2 statistics, in them 6 the longest tick, ms; null without one. */
function longestTickMs(bytes: Uint8Array): number | null {
  let longest = 0;
  new WireReader(bytes).each(7, (entry) =>
    entry.each(2, (statistics) => {
      while (statistics.next()) {
        if (statistics.field === 6) longest = Math.max(longest, checkedMs(statistics.double()));
        else statistics.skip();
      }
    }),
  );
  return longest > 0 && longest <= most ? longest : null;
}
