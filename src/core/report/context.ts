import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import { memoryDiffers } from "./memory-tolerance.ts";
import { ConfigBlock, JvmBlock } from "./payload-blocks.ts";
import type { ReportPayload } from "./payload.ts";
import type { ReportDetail } from "./report.ts";

/** What surrounds a run and must not change unnoticed between two that are held against each other. */
export const contextFields = [
  "cpu_name",
  "cpu_cores",
  "cpu_threads",
  "ram_gb",
  "available_processors",
  "cpu_quota_cores",
  "memory_limit_gb",
  "disk_type",
  "os_name",
  "java_version",
  "collector",
  "heap_max_mb",
  "heap_initial_mb",
  "jvm_flags",
  "server_type",
  "game_version",
  "plugin_version",
  "plugin_count",
  "mod_count",
  "dispersed_zones",
  "config.view_distance",
  "config.simulation_distance",
  "config.sync_chunk_writes",
  "config.max_auto_save_chunks_per_tick",
  "config.prevent_moving_into_unloaded_chunks",
  "config.activation_range_monsters",
  "config.spawn_limit_monsters",
  "config.max_entity_collisions",
  "config.tick_inactive_villagers",
  "config.merge_radius_item",
  "config.redstone_implementation",
  "config.hopper_ignore_occluding_blocks",
  "config.hopper_check_ticks",
] as const;
export type ContextField = (typeof contextFields)[number];

/** A value of the context: text as the plugin reported it, a number in the unit of the field's name; null unknown. */
export type ContextValue = string | number | boolean | null;

/** The longest text a value is shown as; lists of JVM flags can be longer. */
const shownText = 500;
export const ShownContextValue = z.union([thirdPartyText(shownText), z.number(), z.boolean()]).nullable();

export type RunContext = Readonly<Record<ContextField | "server_build", ContextValue>>;

/** Heap sizes have fields of their own, and most flags name no more than one thing: their order says nothing. */
const heapSize = /^-(?:Xms|Xmx|XX:(?:Max|Initial)HeapSize=)/;
const flagsOf = (flags: readonly string[] | null): string | null =>
  flags &&
  [...new Set(flags)]
    .filter((flag) => !heapSize.test(flag))
    .toSorted()
    .join("\n");

type UploadOnly = Exclude<keyof RunContext, keyof ReturnType<typeof reported>>;

/** What the report itself shows. */
const reported = ({ hardware, server, ...report }: ReportDetail) => ({
  cpu_name: hardware.cpu_name,
  cpu_cores: hardware.cpu_cores,
  cpu_threads: hardware.cpu_threads,
  ram_gb: hardware.ram_gb,
  available_processors: hardware.available_processors,
  memory_limit_gb: hardware.memory_limit_gb,
  disk_type: hardware.disk_type,
  os_name: report.os_name,
  java_version: report.java_version,
  server_type: server.type,
  game_version: server.game_version,
  plugin_version: server.plugin_version,
  plugin_count: report.plugin_count,
  mod_count: report.mod_count,
  dispersed_zones: report.dispersed_zones,
  server_build: server.build,
});

const unreadable = { hardware: null, jvm: JvmBlock.parse({}), config: ConfigBlock.parse({}) };

/** What only the upload has. */
const uploaded = ({
  hardware,
  jvm,
  config,
}: ReportPayload | typeof unreadable): Pick<RunContext, UploadOnly> => ({
  // Null is what a container without a quota reports.
  cpu_quota_cores: hardware && (hardware.cpu_quota_cores ?? "none"),
  collector: jvm.collector,
  heap_max_mb: jvm.heap_max_mb,
  heap_initial_mb: jvm.heap_initial_mb,
  jvm_flags: flagsOf(jvm.flags),
  "config.view_distance": config.view_distance,
  "config.simulation_distance": config.simulation_distance,
  "config.sync_chunk_writes": config.sync_chunk_writes,
  "config.max_auto_save_chunks_per_tick": config.max_auto_save_chunks_per_tick,
  "config.prevent_moving_into_unloaded_chunks": config.prevent_moving_into_unloaded_chunks,
  "config.activation_range_monsters": config.activation_range_monsters,
  "config.spawn_limit_monsters": config.spawn_limit_monsters,
  "config.max_entity_collisions": config.max_entity_collisions,
  "config.tick_inactive_villagers": config.tick_inactive_villagers,
  "config.merge_radius_item": config.merge_radius_item,
  "config.redstone_implementation": config.redstone_implementation,
  "config.hopper_ignore_occluding_blocks": config.hopper_ignore_occluding_blocks,
  "config.hopper_check_ticks": config.hopper_check_ticks,
});

/**
 * The context of one run, from its report and its upload; `*_gb` in GiB, `*_mb` in MB, quotas in cores. Of an upload
 * that cannot be read, null, nothing is known.
 */
export const reportContext = (report: ReportDetail, payload: ReportPayload | null): RunContext => ({
  ...reported(report),
  ...uploaded(payload ?? unreadable),
});

/** Whether two values of a field are two values; GiB may differ by 2 %, and an unknown value says nothing. */
export function contextDiffers(field: keyof RunContext, one: ContextValue, other: ContextValue): boolean {
  if (one === null || other === null) return false;
  if (field.endsWith("_gb") && typeof one === "number" && typeof other === "number")
    return memoryDiffers(one, other);
  return one !== other;
}

const leftOut = "…";

// Switches, sizes and counts: what stands in an option like these is no path, address or command of the owner's.
const plainOption = /^-X(?:X:[+-]\w+|X:\w+=\d+[kKmMgGtT%]?|[a-z]+\d*[kKmMgGtT]?)$/;
const optionName = /^-(?:XX:[+-]?\w+|-?[a-zA-Z][\w.-]*)/;

/** An option whose value could be anything is shown by its name, what has none by what stands for text left out. */
const shownOption = (flag: string): string =>
  plainOption.test(flag) ? flag : (optionName.exec(flag)?.[0] ?? leftOut);

const shorten = (text: string): string =>
  text.length > shownText ? `${[...text].slice(0, shownText - 1).join("")}${leftOut}` : text;

function onlyIn(flags: string, others: string): string {
  const known = new Set(others.split("\n"));
  const own = flags.split("\n").filter((flag) => flag !== "" && !known.has(flag));
  return shorten(own.map(shownOption).join(" "));
}

/** A pair of values as an answer shows it. Of JVM flags each side has only those that the other lacks. */
export function shownPair(
  field: keyof RunContext,
  before: ContextValue,
  after: ContextValue,
): { before: ContextValue; after: ContextValue } {
  if (field !== "jvm_flags" || typeof before !== "string" || typeof after !== "string")
    return { before, after };
  return { before: onlyIn(before, after), after: onlyIn(after, before) };
}
