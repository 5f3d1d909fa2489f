import type { z } from "zod";
import type { ProfileDocument } from "../profile/document.ts";
import { maxWindows } from "../profile/measured.ts";
import { nameLength } from "../metric/worlds.ts";
import { keptText } from "./kept-text.ts";
import { WireReader } from "./protobuf.ts";
import { timestampOrNull } from "./spark-metadata.ts";

type Measured = NonNullable<z.input<typeof ProfileDocument>["measured"]>;
type Window = Measured["windows"][number];

/** What the file says of the server when the recording ended. */
interface AtEnd {
  tickP95Ms: number | null;
  heapUsedMb: number | null;
  heapMaxMb: number | null;
  readonly worlds: { name: string; entities: number | null }[];
}

const mib = 1024 * 1024;

/** A game never has more of anything in one process; spark writes -1 for what its platform does not tell. */
const mostCounted = 1e9;
const longestTickMs = 1e9;
const mostTps = 25;
const mostHeapMb = 1e8;
const mostPercent = 105;
const worldsShown = 3;
const mostWorlds = 1000;

const within = (value: number, least: number, most: number): number | null =>
  value >= least && value <= most ? value : null;

/**
 * What the server measured while spark recorded: the statistics of each window of about a minute. With the last one go
 * those that spark keeps only once, at the end of the recording. Null if the file has no window with its times.
 */
export function measuredBySpark(bytes: Uint8Array): Measured | null {
  const windows: Window[] = [];
  const atEnd: AtEnd = { tickP95Ms: null, heapUsedMb: null, heapMaxMb: null, worlds: [] };
  const file = new WireReader(bytes);
  while (file.next()) {
    if (file.field === 7) file.message().each(2, (statistics) => windows.push(...windowOf(statistics)));
    else if (file.field === 1) file.message().each(8, (statistics) => readPlatform(statistics, atEnd));
    else file.skip();
  }
  const inOrder = windows.toSorted((one, other) => (one.end < other.end ? -1 : 1)).slice(-maxWindows);
  const last = inOrder.at(-1);
  if (last === undefined) return null;
  const worlds = atEnd.worlds.toSorted((one, other) => (other.entities ?? 0) - (one.entities ?? 0));
  const ended = {
    ...last,
    mspt_p95: atEnd.tickP95Ms,
    ram_used_mb: atEnd.heapUsedMb,
    ram_max_mb: atEnd.heapMaxMb,
    worlds_top: worlds.length === 0 ? null : worlds.slice(0, worldsShown),
  };
  return { source: "spark", windows: [...inOrder.slice(0, -1), ended] };
}

/**
 * WindowStatistics: 2 CPU of the process, 3 of the machine (0 to 1), 4 TPS, 5 median and 6 longest tick (ms), 7 players,
 * 8 entities, 9 tile entities, 10 chunks, 11 start, 12 end (ms). A window without times was not measured. What the file
 * leaves out is 0: of a rate, a time and a share that means unknown, and of counts if all four are 0.
 */
function windowOf(message: WireReader): Window[] {
  const value: Record<number, number> = {};
  while (message.next()) {
    const { field } = message;
    if (field >= 2 && field <= 6) value[field] = message.double();
    else if (field >= 7 && field <= 10) value[field] = message.int32();
    else if (field === 11 || field === 12) value[field] = message.int64();
    else message.skip();
  }
  const at = (field: number): number => value[field] ?? 0;
  const [start, end] = [timestampOrNull(at(11)), timestampOrNull(at(12))];
  if (start === null || end === null || at(12) <= at(11)) return [];
  const above0 = (field: number, most: number, factor = 1): number | null =>
    at(field) > 0 ? within(at(field) * factor, 0, most) : null;
  const isCounted = [7, 8, 9, 10].some((field) => at(field) !== 0);
  const count = (field: number): number | null => (isCounted ? within(at(field), 0, mostCounted) : null);
  return [
    {
      start,
      end,
      tps: above0(4, mostTps),
      mspt: above0(5, longestTickMs),
      worst_tick_ms: above0(6, longestTickMs),
      cpu_usage: above0(2, mostPercent, 100),
      cpu_system: above0(3, mostPercent, 100),
      player_count: count(7),
      entity_count: count(8),
      tile_entities: count(9),
      loaded_chunks: count(10),
    },
  ];
}

/** PlatformStatistics: 1 memory, 5 ticks, 8 worlds. */
function readPlatform(message: WireReader, atEnd: AtEnd): void {
  while (message.next()) {
    if (message.field === 1) message.message().each(1, (heap) => readHeap(heap, atEnd));
    else if (message.field === 5) message.message().each(1, (minute) => readTicks(minute, atEnd));
    else if (message.field === 8) message.message().each(3, (world) => readWorld(world, atEnd));
    else message.skip();
  }
}

/** MemoryUsage: 1 used, 4 the largest size, bytes. */
function readHeap(message: WireReader, atEnd: AtEnd): void {
  while (message.next()) {
    if (message.field === 1) atEnd.heapUsedMb = heapMb(message.int64());
    else if (message.field === 4) atEnd.heapMaxMb = heapMb(message.int64());
    else message.skip();
  }
}

const heapMb = (bytes: number): number | null =>
  bytes > 0 ? within(Math.round(bytes / mib), 0, mostHeapMb) : null;

/** RollingAverageValues of the last minute: 5 the 95th percentile, ms. */
function readTicks(message: WireReader, atEnd: AtEnd): void {
  while (message.next()) {
    if (message.field === 5) atEnd.tickP95Ms = within(message.double(), 0, longestTickMs);
    else message.skip();
  }
}

/** World: 1 name, 2 entities. */
function readWorld(message: WireReader, { worlds }: AtEnd): void {
  let [name, entities] = ["", 0];
  while (message.next()) {
    if (message.field === 1) name = message.text();
    else if (message.field === 2) entities = message.int32();
    else message.skip();
  }
  if (worlds.length < mostWorlds)
    worlds.push({ name: keptText(name, nameLength), entities: within(entities, 0, mostCounted) });
}
